"""The 18 planes of Leela Zero's networks.

AlphaGo Zero's idea in another order: eight configurations of the player to move, newest first, then the opponent's
eight, then two planes that say who is to move, of which one is all ones and the other all zeros (where AlphaGo Zero has
one).

| planes | meaning                                                                              |
|--------|--------------------------------------------------------------------------------------|
| 0..7   | stones of the player to move: now, one move ago, ..., seven moves ago                  |
| 8..15  | stones of the opponent, the same way                                                   |
| 16     | 1 if Black is to move                                                                  |
| 17     | 1 if White is to move                                                                  |

Planes from before the game's first position are zero; stones of a handicap or a setup are there from the start and have
no past; a pass adds a configuration equal to the one before. Ko, komi and rules are not shown: Leela Zero's networks
are for 19x19, area scoring and komi 7.5. Leela Zero itself numbers rows from the bottom; here, as everywhere in this
package, row 0 is the top, and the reader of its networks turns the weights instead (`nets.leela`).

Source: leela-zero/leela-zero, src/Network.cpp, `gather_features`, and the README, "Training data format".
"""

from __future__ import annotations

from move37.features.leela_kernels import write_leela18_batch
from move37.features.plane_encoder import PlaneEncoder

PLANES = 18

LEELA18 = PlaneEncoder("leela18", PLANES, write_leela18_batch)
