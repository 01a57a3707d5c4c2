"""The 48 planes of AlphaGo's policy network (2016), and the 49 of its value network.

Planes in the order of the paper's table, all for the player to move; numbers are one-hot, one plane a number.

| planes | name              | 1 where                                                                                 |
|--------|-------------------|-----------------------------------------------------------------------------------------|
| 0-2    | stone colour      | own stone; opponent's stone; empty                                                      |
| 3      | ones              | everywhere                                                                              |
| 4-11   | turns since       | the stone came with the last turn, the one before, ... ; 11: eight turns ago or longer  |
| 12-19  | liberties         | the stone's chain has 1, 2, ... 7, 8 or more                                            |
| 20-27  | capture size      | a move takes 0, 1, ... 6, 7 or more stones                                              |
| 28-35  | self-atari size   | a move leaves its chain of 1, 2, ... 7, 8 or more stones one liberty (or none: suicide) |
| 36-43  | liberties after   | a move leaves its chain 1, 2, ... 7, 8 or more liberties                                |
| 44     | ladder capture    | a move captures a chain of two liberties in a ladder                                    |
| 45     | ladder escape     | a move saves a chain of its own in atari from a ladder                                  |
| 46     | sensibleness      | a move is legal and fills no own eye                                                    |
| 47     | zeros             | nowhere                                                                                 |
| 48     | player colour     | everywhere if Black is to move (`alphago49` only)                                       |

`alphago4`, `alphago12` and `alphago20` are the first planes alone: the stones, then with their history and liberties.

What the paper leaves open is decided so:

- *Moves* (planes 20-46) are the legal moves of the player to move; ko, superko and suicide are respected as the
  position's rules say. An illegal point has no plane of these, so plane 20 is the legal moves that take nothing.
- *Capture size* has eight planes and a ninth value, none: 0 is the first plane and the last one means seven or more, as
  in RocAlphaGo. In the four other groups the first plane is 1 and the last 8 or more.
- *Turns since* looks at the stones of the last eight configurations. A stone counts from the turn that put the one that
  stands there now, so one that was taken and put again is as young as its last putting; passes are turns. Stones that
  stood at the start of the record (handicap, setup) and those older than its history are in plane 11.
- *Self-atari size* is the size of the chain with the new stone, after what the move takes is gone. A suicide that the
  rules allow loses its chain at once and counts with its size; it has no plane of liberties after.
- *Liberties after* are those of the same chain, points of captured stones among them.
- *Ladders* are read as `rules.ladder_kernels` says.
- An *own eye* is an empty point with own stones (or the edge) on all sides and at most one of the opponent's at its
  corners, none if it lies at the edge of the board.
- In the encore phases of territory scoring a move may lift a ko-recapture block instead of putting a stone: it is
  sensible, and has no other plane.

Source: Silver et al., Mastering the game of Go with deep neural networks and tree search, Nature 529 (2016), Extended
Data Table 2; RocAlphaGo's feature functions for the choice of planes named above.
"""

from __future__ import annotations

from move37.features.alphago_kernels import CAPTURE_SIZE, LIBERTIES, PLAYER_COLOR, TURNS_SINCE, write_alphago_batch
from move37.features.plane_encoder import FirstPlanes, PlaneEncoder

ALPHAGO48 = PlaneEncoder("alphago48", PLAYER_COLOR, write_alphago_batch)
ALPHAGO49 = PlaneEncoder("alphago49", PLAYER_COLOR + 1, write_alphago_batch)

# What planes are worth: Extended Data Table 3 has networks that read the first 4, 12 and 20 of the 48.
ALPHAGO4 = FirstPlanes("alphago4", TURNS_SINCE, ALPHAGO48)
ALPHAGO12 = FirstPlanes("alphago12", LIBERTIES, ALPHAGO48)
ALPHAGO20 = FirstPlanes("alphago20", CAPTURE_SIZE, ALPHAGO48)
