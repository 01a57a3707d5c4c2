"""A guess at the encoding of text that is neither UTF-8 nor what it says it is.

Go records are in a handful of encodings beside UTF-8, and often hold two names and no more, too little for general
detectors. So the East Asian encodings are told apart here by how common the characters are that each reading gives,
with the words and family names of the game among them; for the others (Western, Cyrillic) charset-normalizer is asked.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["guess_encoding", "plausibility"]

CANDIDATES: Final = ("utf-8", "gb18030", "cp932", "cp949", "big5hkscs", "euc_jp")
"""In the order that decides when two readings are equally good."""
_WESTERN: Final = ["cp1252", "mac_roman"]
_CYRILLIC: Final = ["cp1251", "koi8_r", "cp1252"]

_MOST_CHARACTERS: Final = 2000
_LIKELY: Final = 0.3
_BONUS_OF_DECLARED: Final = 1.0
_LOST: Final = -10.0
_MALUS: Final = {"euc_jp": -0.8}
"""Hardly any record is in EUC-JP, and much Chinese and Korean reads like it."""
_JAPANESE_CODECS: Final = ("cp932", "euc_jp", "utf-8")

_CHINESE: Final = (
    "的一是不了在有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天"
    "而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些"
    "与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相"
    "次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立"
    "马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共"
    "風战征这個們來國說對時會後過還發學長點樣當沒從動現將與實見經頭兩進開間關機給問電門業東場書員師體處總報馬張難"
    "围棋赛圍賽胜勝负負黑白子目半投降认輸输赢贏贴貼让讓段级級杯盃届屆局轮輪决決战戰预選选挑戰战天元名人本因坊王座碁"
    "圣聖十段番先后手执執猜盘盤韩韓中日国國台湾灣职職业業余餘李朴金崔赵趙曹刘劉徐林吴吳周柯古孔常陈陳谢謝罗羅江时"
    "時芮廖马馬聂聶俞邵华華汪杨楊党黨唐范邱丁梅毛陶胡檀连連彭黄黃许許姜睦洪元申安鲁魯付傅钱錢孙孫郭何曾邓鄧宋郑鄭"
    "昌镐鎬世石廷桓永训訓哲瀚承志文松雅洁潔柱洋昊睿羽嘉伟偉强強俊辉輝豪耀烨燁宇鹤鶴起灵靈毅力晓曉光一铭銘"
)
_JAPANESE: Final = (
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半"
    "男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題"
    "意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建"
    "空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋"
    "夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢段戦勝負局先番投了挑戦名人棋聖囲碁王座天元本因坊九段初"
    "期第回決定対中押目半院関西手合予選級置石互定黒白持碁総譜井山裕太坂田栄男治勲趙武宮正樹小林光一加藤武大竹英雄"
    "張栩高尾紳路羽根直結城聡河野臨依基呉清源木谷實瀬越憲作橋本宇太郎藤沢秀行朋斎梶原苑道策丈和秀策秀甫村川介芝虎"
    "丸一力遼許家元余正麒本木克弥上野愛咲佐藤鈴木高橋田中渡辺伊藤中村松吉田加々三村智保柳潘善琪溝上知親今村俊也"
)
_KOREAN: Final = (
    "이김박최정강조윤장임한오서신권황안송류유홍전고문손양배백허남심노하곽성차주우구나진지엄원천방공현함변염여추도소석"
    "선설마길연위표명기반왕금옥육인맹제모탁국어은편용의가는을를에들로와과도다고한하지그사자시대부일수상해리보아스으라"
    "있것거니라만어게서면되없나내않때말생각중년월회전당동물세경여적행방분학관계등안무실체단바둑대국흑백승패집불계반"
    "프로아마기사초단입단결승준결승예선본선리그배전국수왕위명인천원최고비씨카드삼성화재엘지농심신라면춘란응씨후지쯔"
    "창호세돌훈현진서환철한영상민석재호준규병태희동욱우목변원택성룡기훈주형건경완박이흥효정혜연조수종"
)


def guess_encoding(data: bytes, declared: str | None = None) -> str:
    """The Python codec that the bytes are most likely in; `declared` is what they say, and a little more likely."""
    scores: dict[str, float] = {}
    for name in dict.fromkeys([*CANDIDATES, declared or "utf-8"]):
        scores[name] = plausibility(data.decode(name, "replace"), name) + _BONUS_OF_DECLARED * (name == declared)
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > _LIKELY else _alphabetic(data)


def plausibility(text: str, name: str) -> float:
    """How likely a text was read with the right codec: about 2 for ordinary text, below 0 for nonsense.

    It is the mean over the characters beyond ASCII (the first few thousand): 3 for those that records are full of,
    1 for those that the encoding counts as common, down to -10 for bytes that are no character, except at the end,
    where the text may be cut short.
    """
    foreign = "".join(re.findall(r"[^\x00-\x7f]+", text.rstrip("\ufffd")))[:_MOST_CHARACTERS]
    common = _common_characters()
    usual = _usual_characters(name)
    score = sum(3.0 if c in common else 1.0 if c in usual else _weight(c, name) for c in foreign)
    return score / max(1, len(foreign)) + _MALUS.get(name, 0.0)


def _weight(character: str, name: str) -> float:
    """What a character that is not common says."""
    code = ord(character)
    if character == "\ufffd":
        return _LOST
    if 0x3040 <= code < 0x3100:  # kana
        return 2.0 if name in _JAPANESE_CODECS else 0.0
    if 0x3000 <= code < 0x3030 or 0xFF01 <= code < 0xFF5F:  # punctuation, full-width letters
        return 1.0
    if 0x80 <= code < 0xA0 or 0xE000 <= code < 0xF900 or 0xFF61 <= code < 0xFFA0:  # controls, private, half kana
        return -3.0
    return 0.5 if name == "utf-8" else -1.5


@cache
def _common_characters() -> frozenset[str]:
    return frozenset(_CHINESE + _JAPANESE + _KOREAN)


_USUAL: Final = {
    "gb18030": ("gb2312", 0xB0, 0xD8),
    "cp932": ("shift_jis", 0x88, 0x98),
    "euc_jp": ("euc_jp", 0xB0, 0xD0),
    "big5hkscs": ("big5", 0xA4, 0xC7),
    "cp949": ("euc_kr", 0xB0, 0xC9),
}
"""The rows (first bytes from, to) in which each standard put its common characters."""


@cache
def _usual_characters(name: str) -> frozenset[str]:
    if name not in _USUAL:
        return frozenset()
    codec, first, end = _USUAL[name]
    pairs = (bytes((lead, trail)) for lead in range(first, end) for trail in range(0x40, 0xFF))
    return frozenset(text for pair in pairs if len(text := pair.decode(codec, "ignore")) == 1 and text >= "\u4e00")


def _alphabetic(data: bytes) -> str:
    """An encoding with one byte a letter: Cyrillic words are beyond ASCII all through, Western ones in part."""
    from charset_normalizer import from_bytes

    pieces = (piece for piece in re.split(rb"[\[\]\n]", data) if not piece.isascii())
    sample = b"\n".join(pieces)[:4096]
    mixed = len(re.findall(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]", sample))
    isolated = mixed * 2 >= len(re.findall(rb"[\x80-\xff]", sample))
    best = from_bytes(sample, cp_isolation=_WESTERN if isolated else _CYRILLIC).best()
    return "cp1252" if best is None else best.encoding
