"""Random lines, most of them nearly right: each is answered in its frame, in order, and nothing is a defect.

`MOVE37_FUZZ_LINES=2000 pytest tests/gtp/test_fuzz.py` sends as many as asked.
"""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

from move37.gtp.engine import Engine
from move37.gtp.settings import Settings
from tests.support.gtp_session import Typist, plain_player

LINES = int(os.environ.get("MOVE37_FUZZ_LINES", "250"))
FORBIDDEN = {"quit", "printsgf"}  # which end the session and write files
WORDS = [
    "b", "w", "black", "White", "green", "c3", "a1", "e5", "z9", "i1", "pass", "resign", "0", "1", "5", "20", "-1",
    "3.5", "nan", "1e400", "99999999999999999999", "true", "false", "all", "avg", "interval", "minmoves", "maxmoves",
    "avoid", "allow", "ownership", "movesOwnership", "ownershipStdev", "pvVisits", "rootInfo", "a1,b2,pass", "name",
    "value", "Visits", "maxVisits", "maxVisitsPondering", "resignThreshold", "reportAnalysisWinratesAs", "BLACK",
    "fischer", "byoyomi", "canadian", "none", "absolute", "fischer-capped", "japanese", "tromp-taylor", "ko", "simple",
    "dead", "seki", "dame", "{}", '{"ko":"SIMPLE"}', "#", "# interrupt", "é", "²", "\x00", "\t", "/no/such/file.sgf",
]  # fmt: skip


def random_line(rng: np.random.Generator, commands: list[str]) -> str:
    """A line of a kind that controllers, people and broken pipes send."""
    kind = rng.integers(12)
    number = str(rng.integers(10**6)) + " " if rng.random() < 0.5 else ""
    words = " ".join(rng.choice(WORDS, size=rng.integers(5)).tolist())
    if kind == 0:
        return str(rng.choice(["", " ", "#", "# comment", "\t", "quit_now", number]))
    if kind == 1:
        return "".join(map(chr, rng.integers(1, 0x3000, size=rng.integers(40)))).replace("\n", "")
    if kind < 5:
        column, row = rng.choice(list("abcde")), rng.integers(1, 6)
        return f"{number}{rng.choice(['play', 'play', 'genmove'])} {rng.choice(['b', 'w'])} {column}{row}"
    return f"{number}{rng.choice(commands)} {words}"


def expects_an_answer(line: str) -> bool:
    return bool(re.sub("[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " ")).strip())


@pytest.mark.parametrize("scores", [True, False])
def test_every_line_is_answered_in_its_frame(scores: bool) -> None:
    rng = np.random.default_rng(37 + scores)
    engine = Engine(plain_player(8, scores), size=5, settings=Settings(visits=8))
    commands = sorted(set(engine.protocol().commands) - FORBIDDEN)
    sent = 0
    with Typist(engine) as session:
        while sent < LINES:
            batch = [random_line(rng, commands) for _ in range(rng.integers(1, 12))]
            sent += len(batch)
            session.send(*batch, "kata-set-param maxVisits 8", "kata-set-param maxVisitsPondering 8", "boardsize 5")
            for line in [*filter(expects_an_answer, batch), "", "", ""]:
                answer = session.answer()
                assert re.match(r"[=?]", answer[0]), (line, answer)
                if number := re.match("[0-9]+(?= )", line):
                    assert answer[0][1:].startswith(number[0]), (line, answer)
                assert not any(re.match("[=?][0-9]", more) for more in answer[1:]), (line, answer)
    assert session.nothing_more()
    assert session.log.getvalue() == ""
