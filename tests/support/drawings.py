"""Reading pictures: an SVG text as its shapes and words, to be compared value by value."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from move37.pictures.drawing import Picture

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: Picture, theme: str = "auto") -> ElementTree.Element:
    """The picture's root; it is well-formed XML and has no script."""
    root = ElementTree.fromstring(picture.svg(theme=theme))
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}script"))
    return root


def words(picture: Picture) -> list[str]:
    """All visible texts in order."""
    return [element.text or "" for element in parsed(picture).iter(f"{SVG}text")]


def hovers(picture: Picture) -> list[str]:
    """All that a pointer is told, the picture's own title apart."""
    return [element.text or "" for element in parsed(picture).iter(f"{SVG}title")][1:]


def classes(picture: Picture) -> Counter[str]:
    """How many shapes there are of each class."""
    kinds = (element.get("class", "") for element in parsed(picture).iter() if element.tag != f"{SVG}svg")
    return Counter(kind for kind in kinds if kind)


def stones(picture: Picture) -> Counter[str]:
    """How many stones of either colour are drawn on boards."""
    fills = (circle.get("fill", "") for circle in parsed(picture).iter(f"{SVG}circle"))
    names = {"url(#m37b)": "black", "url(#m37w)": "white"}
    return Counter(names[fill] for fill in fills if fill in names)
