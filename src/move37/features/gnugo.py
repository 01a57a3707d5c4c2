"""Hand-made features of a point, as programs before the networks had them: seven kinds, as planes.

All for the player to move; *moves* are the legal ones, and points that are none have no plane of 2-20 and 25-27.

| planes | name            | 1 where                                                                                   |
|--------|-----------------|-------------------------------------------------------------------------------------------|
| 0, 1   | stones          | own stone; opponent's stone                                                               |
| 2      | can capture     | a move takes a stone or more                                                              |
| 3      | can connect     | a move joins two or more own chains                                                       |
| 4      | makes an eye    | a move makes a point beside it an own eye that was none before (as `alphago48` knows eyes)|
| 5-12   | liberties after | a move leaves its chain 1, 2, ... 7, 8 or more liberties                                  |
| 13-20  | enemy liberties | the weakest chain of the opponent beside a move has 1, 2, ... 7, 8 or more liberties now  |
| 21-24  | edge distance   | the point is on line 1, 2, 3, 4 or deeper                                                 |
| 25-27  | 3x3 pattern     | a move makes a shape of the family *hane*, *cut*, *side* (`features.pattern_kernels`)     |

- The stones are no feature of the list; with them a network can read these planes alone.
- A suicide that the rules allow joins nothing, makes no eye and has no liberties after.

Source: the list of GNU Go's kind of features in the first chapter of the course.
"""

from __future__ import annotations

from move37.features.gnugo_kernels import PLANES, write_gnugo_batch
from move37.features.plane_encoder import PlaneEncoder

GNUGO = PlaneEncoder("gnugo", PLANES, write_gnugo_batch)
