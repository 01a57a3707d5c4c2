"""A fuzzer of the SGF readers: byte strings that no file should hold, and damaged copies of files that people have.

Each must give a tree that survives writing and reading, or an `SgfError`; nothing else, and soon. The tests run a few
thousand; `python -m tests.sgf.fuzz 200000 [SEED]` runs as many as asked, over all games of the shared folder too.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from move37.errors import Move37Error, SgfError
from move37.sgf import properties
from move37.sgf.grammar import Node, parse, serialize
from tests.support.shared import SHARED

DATA = Path(__file__).parents[1] / "data" / "sgf"
"""Small hand-made files with every kind of fault."""

SIGNS = b"( ) [ ] ; : \\ (; ;B[ ;W[aa] AB[aa:cc] C[ \\] )( )) (;GM[1]FF[4]SZ[9] SZ[19:13] [] GaMe[1] Black[dd] KM[375]"
WORDS = b"HA[abc] CA[UTF-8] CA[GBK] CA[Shift_JIS] CA[foo] CA[ISO-8859-1] DT[2016-03-09] RE[B+1/2] LB[aa:x] <html> ~{"
TOKENS = [
    *(*SIGNS.split(), *WORDS.split()),
    *(
        b" ",
        b"\n",
        b"\r",
        b"\t",
        b"\0",
        b"\x1a",
        b"\x1b$B",
        b"\x80",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
    ),
    *("本因坊 ".encode(codec) for codec in ("utf-8", "cp932", "gb18030", "big5", "euc_jp", "utf-16-le", "utf-16-be")),
    *("이창호".encode("cp949"), "é".encode("latin-1")),
]


def seeds(*, everything: bool = False) -> list[bytes]:
    """Files to damage: hand-made ones and small odd ones of the shared folder; with `everything` all its records."""
    files = sorted(DATA.glob("*.sgf")) + sorted((SHARED / "games" / "sgf-odd").glob("*.sgf"))
    if everything:
        files += sorted((SHARED / "games" / "sgf-sample").rglob("*.sgf"))
    longest = 100_000 if everything else 4_000
    return [data for path in files if len(data := path.read_bytes()) < longest]


def inputs(seed: int, files: list[bytes]) -> Iterator[bytes]:
    """Endless byte strings, the same for the same seed and files."""
    rng = random.Random(seed)
    while True:
        kind = rng.random()
        if kind < 0.1:
            yield rng.randbytes(rng.randrange(1 << rng.randrange(1, 12)))
        elif kind < 0.35:
            yield b"".join(rng.choices(TOKENS, k=rng.randrange(1, 60)))
        else:
            yield damaged(rng.choice(files), rng, files)


def damaged(data: bytes, rng: random.Random, files: list[bytes]) -> bytes:
    """A copy with one to eight faults."""
    for _ in range(rng.randrange(1, 9)):
        data = _fault(data, rng, files)
    return data


def _fault(data: bytes, rng: random.Random, files: list[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + (1 << rng.randrange(10)))
    piece = data[start:end]
    match rng.randrange(8):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:start] + piece * rng.randrange(2, 5) + data[end:]
        case 2:
            return data[:start] + rng.choice(TOKENS) + data[start:]
        case 3:
            return data[:start] + rng.choice(TOKENS) + data[start + 1 :]
        case 4:
            return data[:start] + rng.randbytes(rng.randrange(1, 5)) + data[start:]
        case 5:
            return data[:start]
        case 6:
            other = rng.choice(files)
            place = rng.randrange(len(other) + 1)
            return data[:start] + other[place : place + (1 << rng.randrange(10))] + data[end:]
        case _:
            return data.replace(rng.choice(b"()[];\\\n").to_bytes(), rng.choice(TOKENS), rng.randrange(1, 4))


def check(data: bytes) -> bool:
    """Read, write and read again; True if there were games. Anything that is no `Move37Error` goes through."""
    try:
        collection = parse(data)
    except SgfError as error:
        return check_sentence(str(error))
    assert collection.games
    assert len(collection.warnings) <= 120 and all(str(warning) for warning in collection.warnings)
    collection.text.encode()
    text = serialize(collection.games)
    assert flat(parse(text).games) == flat(collection.games)
    for root in collection.games:
        for node in root.walk():
            for values in node.properties.values():
                for raw in values:
                    check_value(raw)
    return True


def check_sentence(message: str) -> bool:
    """An error is one sentence; False, for no games."""
    assert message[0].isupper() and message.endswith(".") and "\n" not in message
    return False


def flat(games: list[Node]) -> list[tuple[int, int, list[tuple[str, list[str]]]]]:
    """Every node of the games with the game's number, the number of its children, and its properties in order."""
    return [
        (number, len(node.children), list(node.properties.items()))
        for number, root in enumerate(games)
        for node in root.walk()
    ]


@lru_cache(maxsize=100_000)
def check_value(raw: str) -> None:
    """Every reader of values gives a value or an error of this package, whatever the property."""
    properties.parse_komi(raw)
    properties.parse_handicap(raw)
    properties.parse_year(raw)
    properties.parse_color(raw)
    properties.split_composed(raw)
    properties.unescape_simple_text(raw)
    with contextlib.suppress(Move37Error):
        properties.parse_size(raw)
    with contextlib.suppress(Move37Error):
        properties.parse_point_list([raw], 19, 19)


def run(count: int, seed: int = 0, *, everything: bool = False) -> tuple[int, float]:
    """Check so many inputs; the number that held games, and the longest time of one in seconds."""
    read, longest = 0, 0.0
    stream = inputs(seed, seeds(everything=everything))
    for number in range(count):
        data = next(stream)
        start = time.process_time()
        try:
            read += check(data)
        except BaseException as error:
            error.add_note(f"fuzzed input {number} of seed {seed}: {data!r}")
            raise
        longest = max(longest, time.process_time() - start)
    return read, longest


# ------------------------------------------------------------------------------------------------------ large inputs

HOSTILE = {
    **{
        f"only {sign!r}": ("", sign.encode())
        for sign in ["(", "[", "\\", ";", ")", "]", "\0", " ", "\n", "é", "(;", "(;)"]
    },
    **{
        f"(; and {sign!r}": ("(;", sign.encode())
        for sign in ["(", "a", "a ", "a]", "1(", ";1", "[]", "\n", ")", "\x1b$B"]
    },
    **{f"many {unit}": ("(;", unit.encode()) for unit in ["A[]", "a[]", ";A[]", "(;A[]", "(A[])", "A[[]y]", ";B[aa]"]},
    **{
        f"many {unit}": ("(;", unit.encode())
        for unit in [";B[a", ";B[aa];W[bb]x", "(;B[aa];W[bb])", ";B[aa]" + " " * 50]
    },
    **{f"value of {sign!r}": ("(;A[", sign.encode()) for sign in ["[", "\\", "\\]", " ", "é", "(;", "b[]"]},
    **{f"after a bracket {unit}": ("(;A[[]", unit.encode()) for unit in ["b[]", "y[]y]", "y]"]},
    **{f"starts {unit}": ("", unit.encode()) for unit in ["(A[", "(A ", "( ", ";A ", "<(; ", "(A[])", "(;A[]("]},
    "blank encoding": ("\xc3\xa9(;CA[", b" "),
    "two encodings": ("", "(;CA[GBK]C[é])(;CA[UTF-8]C[é])".encode()),
    "wrong encodings": ("", b"(;CA[GBK]C[\xff])(;CA[Big5]C[\xff])"),
    "western": ("(;C[", "naïve café ".encode("latin-1")),
    "chinese": ("(;C[", "围棋的".encode("gb18030")),
    "utf-16": ("\ufeff(;".encode("utf-16-le").decode("latin-1"), ";B[aa]".encode("utf-16-le")),
}
"""What a large input begins with and what is repeated after it, by a name."""


def hostile(name: str, size: int) -> bytes:
    """An input of so many bytes; `random` and `random value` are of random bytes."""
    if name.startswith("random"):
        return b"(;C["[: 4 * (name != "random")] + random.Random(size).randbytes(size)
    start, unit = HOSTILE[name]
    return (start.encode("latin-1") + unit * (size // len(unit) + 1))[:size]


def measure(name: str, size: int = 1_000_000) -> tuple[float, float]:
    """Processor seconds and growth in MB of reading one such input in a fresh interpreter."""
    code = (
        "import resource, time; from tests.sgf import fuzz; from move37.sgf import guess; import charset_normalizer\n"
        f"data = fuzz.hostile({name!r}, {size})\n"
        "memory = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "before, start = memory(), time.process_time()\n"
        "try: fuzz.parse(data)\n"
        "except fuzz.SgfError: pass\n"
        "print(time.process_time() - start, memory() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def main(count: int, seed: int) -> None:
    """Measure the large inputs, then check so many small ones."""
    for name in (*HOSTILE, "random", "random value"):
        seconds, megabytes = measure(name)
        print(f"{name:24} {seconds:6.3f} s {megabytes:6.1f} MB", flush=True)
        assert seconds < 1.0 and megabytes < 200
    read, longest = run(count, seed, everything=True)
    print(f"{count} inputs, {read} with games, at most {longest:.3f} s for one")
    assert longest < 1.0


if __name__ == "__main__":
    main(*(int(given) if given else usual for given, usual in zip([*sys.argv[1:], "", ""], (200_000, 0), strict=False)))
