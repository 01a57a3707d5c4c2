"""The planes of the course's articles: two lists of 48, and the list of 22.

The articles leave much open and differ from the papers they cite; each is built as it is listed, and what it leaves
open is decided here. *Own* and *the player* are the player to move. Planes are numbered from 0.

`article48` (article on input features)

| planes | 1 where                                                                                                     |
|--------|-------------------------------------------------------------------------------------------------------------|
| 0-2    | black stone; white stone; empty                                                                             |
| 3-10   | black stone now, one ply ago, ... seven plies ago                                                           |
| 11-18  | white stone, the same way                                                                                   |
| 19-22  | own stone whose chain has exactly 1, 2, 3, 4 liberties                                                      |
| 23-26  | opponent's stone, the same way                                                                              |
| 27-30  | a move of the player puts exactly 1, 2, 3, 4 stones into atari                                              |
| 31-34  | a move of the opponent would put exactly 1, 2, 3, 4 of the player's stones into atari                       |
| 35-38  | the player's ladders: capture works; escape works; own stones in a working ladder; own ladder breakers      |
| 39-42  | the opponent's ladders, the same four as if the opponent were to move                                       |
| 43     | legal move                                                                                                  |
| 44-47  | point on line 1, 2, 3, 4 or deeper                                                                          |

- The history holds the present configuration too (plane 3 equals plane 0), as in the article's code for 17 planes.
- Numbers above four have no plane, as in the article's code (`liberties == count`).
- *Puts into atari* counts the stones of all chains that the move brings from two liberties to one. The player's moves
  are the legal ones; the opponent's are looked at without ko and superko, which bind the player to move. Suicide puts
  nothing into atari.

`article48_000` (article on the representation of the board, its code)

| planes | 1 where                                                                                                     |
|--------|-------------------------------------------------------------------------------------------------------------|
| 0-3    | black stone; white stone; empty; everywhere                                                                 |
| 4-11   | stone whose chain has exactly 1, 2, ... 8 liberties                                                         |
| 12-19  | a move leaves the weakest chain of the opponent beside it exactly 1, 2, ... 8 liberties                     |
| 20-27  | a move leaves its own chain exactly 1, 2, ... 8 liberties                                                   |
| 28-35  | the last eight moves, one plane each, the oldest first                                                      |
| 36-39  | the player's ladders, as in `article48`                                                                     |
| 40-43  | the opponent's ladders                                                                                      |
| 44-46  | the point holds the same as its image under: half a turn; both mirrorings; both diagonals                   |
| 47     | everywhere if Black is to move                                                                              |

- Planes 12-19 are the article's "liberties of the opponent after the capture": chains that the move takes are gone by
  then and do not count. Moves are the legal ones of the player; a suicide has none of the planes 12-27.
- Before the eighth move the oldest move known still stands in plane 28, as in the article's code; a pass leaves its
  plane empty.
- The article names "symmetry" and says no more. Planes 44-46 stay true on a turned board; on a board that is not
  square plane 46 is empty.
- The article calls the turn a 49th plane and writes it into the 48th; it is the 48th here.

`article22` (article on input features, its list for KataGo; KataGo's own input is `katago22`)

| planes | value                                                                                                       |
|--------|-------------------------------------------------------------------------------------------------------------|
| 0-4    | 1 at a black stone; a white stone; an empty point; everywhere; everywhere if Black is to move               |
| 5-9    | 1 at the last move, the one before it, ... the fifth last; a pass leaves its plane empty                    |
| 10     | 1 at points that ko or superko forbids to the player now                                                    |
| 11, 12 | 1 at a legal move by which the player takes a ko; at a point where the opponent could take one              |
| 13     | komi for the player to move / 20 everywhere (negative for Black), with handicap and play compensation       |
| 14     | 1 everywhere if suicide of two or more stones is legal                                                      |
| 15, 16 | 1 everywhere under positional superko; under situational superko                                            |
| 17     | 1 everywhere under territory scoring                                                                        |
| 18, 19 | 1 everywhere under the tax *seki* or *all*; under the tax *all*                                             |
| 20     | 1 everywhere while the button is free                                                                       |
| 21     | the phase / 2 everywhere: 0 in the play, 0.5 and 1 in the encore phases of territory scoring                |

- *Takes a ko*: takes one stone such that the other side could retake at once but for the rule.
- The article lists komi, suicide and superko for its nine planes of rules; the others are those a position here knows.
"""

from __future__ import annotations

from move37.features.article22_kernels import PLANES_22, write_article22_batch
from move37.features.article_kernels import PLANES_48, write_article48_000_batch, write_article48_batch
from move37.features.plane_encoder import PlaneEncoder

ARTICLE48 = PlaneEncoder("article48", PLANES_48, write_article48_batch)
ARTICLE48_000 = PlaneEncoder("article48_000", PLANES_48, write_article48_000_batch)
ARTICLE22 = PlaneEncoder("article22", PLANES_22, write_article22_batch)
