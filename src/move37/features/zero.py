"""The 17 planes of AlphaGo Zero, in two plane orders.

Each of the last eight stone configurations gives one plane of each colour; a last plane says who is to move. Planes
from before the game's first position are zero. Ko, komi and captures are not shown to the network; a pass adds a
configuration equal to the one before.

| name        | planes 0..15                                                                  | plane 16             |
|-------------|-------------------------------------------------------------------------------|----------------------|
| `zero17`    | own now, opponent's now, own one move ago, opponent's one move ago, and so on | 1 if Black is to move |
| `article17` | Black now, Black one move ago, ... (8), then White now, ... (8)               | 1 if Black is to move |

"Own" are the stones of the player to move now, in all of the eight. Source: Silver et al., Mastering the game of Go
without human knowledge, Nature 550 (2017), Methods, "Neural network architecture"; `article17` is the course's order.
"""

from __future__ import annotations

from move37.features.plane_encoder import PlaneEncoder
from move37.features.plane_kernels import write_article17_batch, write_zero17_batch

PLANES = 17

ZERO17 = PlaneEncoder("zero17", PLANES, write_zero17_batch)
ARTICLE17 = PlaneEncoder("article17", PLANES, write_article17_batch)
