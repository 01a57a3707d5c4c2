"""What the words of a result say: which side won, why, and by how many points.

English, Chinese, Japanese and Korean. A text that names the side that lost (``White resigns``, ``白超时``) makes the
other the winner; one that could mean either (``White resignation``), and one that contradicts itself, gives nobody.
Numbers are margins only where they stand as such: counts of moves, guesses and ranges are not. The words are those of
real game collections and of servers; the texts come plain from `result`.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Final, NamedTuple

from move37.rules.color import Color


class Verdict(NamedTuple):
    """The side that won, and its margin if there is one."""

    winner: Color
    margin: float | None


_SIDE: Final = re.compile(
    # A side after "against" (对, 于) or before a mark of the object (に, 에게) is the other one, not the one spoken of.
    r"(?P<black>\bblack\b|(?<![a-z])b(?![a-z])|(?<![对對于於给給])[黒黑][番方]?+(?![にを])|흑(?!에게|한테|을))"
    r"|(?P<white>\bwhite\b|(?<![a-z])w(?![a-z])|(?<![对對于於给給])白[番方]?+(?![にを])|백(?!에게|한테|을))"
)
_WINS: Final = re.compile(
    r"\+|(?<![a-z])w[io]ns?\b|\bbeats?\b|\bdefeats\b|\bwinner\b|\bvictory\b"
    r"|[胜勝](?![负負])|(?<!무)승(?!부)|[赢贏]|[击擊打][败敗]"
)
_LOSES: Final = re.compile(
    r"\bresign(?:s|ed)\b|\blos[te]s?\b|\bforfeit(?:s|ed)\b|\bdefault(?:s|ed)\b|\bdisqualified\b|\bwithdr(?:ew|aws|awn)\b"
    r"|\bconcede[sd]\b|\bsurrender(?:s|ed)\b|\bquits?\b|\b(?:gave|gives) up\b"
    r"|\bout of time\b|\btime[ds] out\b|\btime (?:ran|runs|has run|is|was) (?:out|up|over)\b"
    r"|\btime (?:has )?(?:expired|elapsed)\b|\bflagged\b|\bflag (?:fell|falls|has fallen|dropped)\b"
    r"|\bclock r[au]ns? out\b"
    r"|\b(?:exceed(?:s|ed)|overstep(?:s|ped)|overran|overruns) (?:(?:the|his|her|their|its) )?(?:time|clock)\b"
    r"|\b(?:is|was|got|been) (?:defeated|beaten)\b|\b(?:defeated|beaten) by\b"
    r"|\b(?:plays|played|makes|made) an illegal\b"
    r"|^['’]s (?:resignation|loss|defeat|forfeit|time ?out|illegal move)\b"
    r"|(?<![认認胜勝])[负負]|(?<![击擊打])[败敗]|패|(?<![认認])[输輸]|不[敌敵]"
)
_FAILS: Final = re.compile(
    r"[超逾][时時](?!.{0,3}[罚罰])|[时時][间間](?:切|到|用|耗|超|終|终|不足|已?[尽盡])|用[时時]超|タイムアウト"
    r"|시간 ?(?:초과|종료|만료)|타임 ?아웃"
    r"|投了|投子|投降|[认認][输輸负負]|反[則则]|犯[规規]|[违違][规規]|[弃棄][权権權]|失格|기권|반칙|실격|돌을? ?던|항복"
)
"""What happens to a side that loses, unless words for winning say that it happened to the other."""
_UNCLEAR: Final = re.compile(
    r"\bnot\b|n['’]t\b|\bnever\b|\bno\b|\bwould\b|\bcould\b|\bshould\b|\bopponent|[未没沒不][胜勝负負输輸败敗]"
    r"|[对對][黑黒白]|对方|對方|对手|對手|相手|상대"
)
"""Before the word that decides these make it say something else."""
_WON_BY: Final = re.compile(
    r"(?:\bwinner(?: is| was)?|\b(?:win|victory) (?:for|by|of)|\bwon by|胜者|勝者|[胜勝]方|승자)[ :=は是]*(?:the )?$"
)
_LOST_BY: Final = re.compile(
    r"(?:\bloser(?: is| was)?|\blost by|\bloss (?:for|by|of)|\bdefeat (?:for|of)|\bresignation (?:by|of|from)"
    r"|\b(?:time ?out|forfeit|default) by|\btime ran out for|[败敗负負][者方]|패자)[ :=は是]*(?:the )?$"
)
_BECAUSE: Final = re.compile(r"(?:因[为為]?|由[于於]|\b(?:because|since|as|after|when))\s*$")
_BOTH_LOST: Final = re.compile(
    r"\bboth\b[a-z ]{0,20}\b(?:lost|lose|forfeit|resign|out of time|timed out)"
    r"|(?:[双雙両]|两)[方者人]?.{0,4}?(?:[负負败敗输輸]|[超逾][时時]|[时時]間切|反則)|쌍방"
)
_BARE: Final = re.compile(
    r"[ :=,番方棋の]*(?:by .*\b(?:resign|resignation|res|time|timeout|forfeit|default)"
    r"|中押し?|中[盘盤]|不[计計][点點目]?|불계)?[ ,]*"
)
"""What may follow the winner when no word says that it won; a margin may as well."""


def both_lost(plain: str) -> bool:
    """Whether the text says that nobody won because both sides lost."""
    return _BOTH_LOST.search(plain) is not None


def names_a_side(plain: str) -> bool:
    """Whether Black or White is spoken of."""
    return _SIDE.search(plain) is not None


def tells_how(words: str) -> bool:
    """Whether words speak of winning, losing, or a way to lose."""
    return any(pattern.search(words) for pattern in (_WINS, _LOSES, _FAILS))


def verdict(plain: str) -> Verdict | None:
    """Who won by the words after each side, or before it; None if nobody or both."""
    winners: set[Color] = set()
    margins: set[float] = set()
    sides = list(_SIDE.finditer(plain))
    for side, following in zip_longest(sides, sides[1:]):
        color = Color.BLACK if side["black"] else Color.WHITE
        words = plain[side.end() : following.start() if following else None]
        won = _has_won(plain[: side.start()], words)
        if won is not None:
            winners.add(color if won else color.opponent)
            points = margin(words)
            margins |= set() if points is None else {points}
    if len(winners) != 1:
        return None
    return Verdict(winners.pop(), margins.pop() if len(margins) == 1 else None)


def bare_verdict(plain: str) -> Verdict | None:
    """The winner of a text that is a side and perhaps its margin or a way to win, and nothing more: ``black 3.5``."""
    side = _SIDE.match(plain)
    if side is None:
        return None
    words = plain[side.end() :]
    points = margin(words)
    if points is None and not _BARE.fullmatch(words):
        return None
    return Verdict(Color.BLACK if side["black"] else Color.WHITE, points)


def _has_won(before: str, words: str) -> bool | None:
    """Whether a side won by what stands after it, else by what stands before it; None if that is not said."""
    wins, loses, fails = _WINS.search(words), _LOSES.search(words), _FAILS.search(words)
    first = min((found.start() for found in (wins, loses) if found), default=fails.start() if fails else -1)
    if first >= 0:
        if _UNCLEAR.search(words[: first + 2]) or (wins and fails and _BECAUSE.search(before)):
            return None
        return wins is not None and wins.start() == first
    if _WON_BY.search(before):
        return True
    return False if _LOST_BY.search(before) else None


# ---------------------------------------------------------------------------------------------------- margins

_NUMERALS: Final = str.maketrans("〇零一二两兩三四五六七八九", "0012223456789")
_TENS: Final = re.compile(r"(?<![\d十])([1-9])?十([1-9])?(?![\d十])")
_KOREAN: Final = re.compile("(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열) ?(?=집)")
_KOREAN_NUMERALS: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_PARTS: Final = re.compile(r"(\d{1,2})分之(\d{1,2})")
_POINT: Final = re.compile(r"(?<=\d)[点點](?=\d)")
_START: Final = re.compile(r"\.?\d|[半반]")
_BEFORE: Final = re.compile(
    r"(?:[ :=,、+]|\b(?:has|by|with|a|the|game|margin|of)\b|\b(?:wins?|won|lost|loses?|beats?)\b"
    r"|[番方棋のがはで以获獲得取小大险險仅僅惜공이가은는]|[胜勝赢贏负負败敗输輸승패ちけ])*"
)
_AMOUNT: Final = re.compile(
    r"(?P<whole>(?:\d{1,4}(?:\.\d{1,4}|,\d\d?)?|\.\d{1,4})(?!\d| ?/))? ?(?P<unit>zi\b|[子目点點집])? ?(?:又|and\b)? ?"
    r"(?:(?P<over>\d{1,3})/(?P<under>[1-9]\d?)(?!\d))? ?(?P<half>[半반])? ?(?P<late_unit>zi\b|[子目点點집])?"
)
_AFTER: Final = re.compile(
    r"(?:$|[ ,;.!)、]|[-–]?(?:points?|pts?|moku|w[io]n)\b|[胜勝승负負败敗패でのを差之获獲得取]).*", re.DOTALL
)
_VAGUE: Final = re.compile(
    r"[\d?~<>%/]|\b(?:or|to|about|approx\w*|around|over|under|more|less|than|least|most|almost|nearly|roughly)\b"
    r"|\b(?:moves?|hours?|min\w*|sec\w*|stones?|games?|dan|kyu|komi)\b|[或约約余餘多手]|以上|以下|左右|ほど|くらい|약|정도"
)
_IN_STONES: Final = ("zi", "子")
_MOST_STONES: Final = 150
"""More are not a margin but all that a side has by Chinese counting (185 of 361)."""


def margin(words: str) -> float | None:
    """The number of points in some words, or None; one in stones or quarters (Chinese records) counts double."""
    arabic = _arabic(words)
    start = _START.search(arabic)
    if start is None or not _BEFORE.fullmatch(arabic[: start.start()]):
        return None
    match = _AMOUNT.match(arabic, start.start())
    if match is None or not (match["whole"] or match["over"] or match["half"]):
        return None
    tail = arabic[match.end() :]
    return None if not _AFTER.fullmatch(tail.rstrip("?")) or _VAGUE.search(tail) else _points(match)


def _arabic(words: str) -> str:
    """The words with numbers in digits: 三又四分之一 is 3又1/4."""
    korean = _KOREAN.sub(lambda found: str(1 + _KOREAN_NUMERALS.index(found[1])), words)
    digits = korean.translate(_NUMERALS)
    tens = _TENS.sub(lambda found: f"{found[1] or '1'}{found[2] or '0'}", digits)
    return _POINT.sub(".", _PARTS.sub(r"\2/\1", tens))


def _points(match: re.Match[str]) -> float | None:
    amount = float((match["whole"] or "0").replace(",", "."))
    if match["over"]:
        amount += int(match["over"]) / int(match["under"])
    amount = round(amount + (0.5 if match["half"] else 0.0), 4)
    in_stones = match["unit"] in _IN_STONES or match["late_unit"] in _IN_STONES
    if not in_stones and amount % 0.5 != 0.25:
        return amount
    return 2 * amount if amount < _MOST_STONES and (2 * amount) % 0.5 != 0.25 else None
