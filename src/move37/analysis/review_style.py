"""The style of the HTML report: one sheet for phones and screens, light and dark, and paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DARK", "GRAPH_STYLE", "LIGHT", "STYLE"]

LIGHT: Final = {
    "paper": "#fbfaf7",
    "ink": "#22201c",
    "faint": "#6b665c",
    "rule": "#dcd7cb",
    "card": "#ffffff",
    "link": "#0b5cad",
    "upper": "#e6e3dc",
    "lower": "#f6f4ef",
    "curve": "#22201c",
    "area": "#22201c26",
    "inaccuracy": "#8a6400",
    "mistake": "#b54a05",
    "blunder": "#b3122b",
    "best": "#1d7a3e",
}
"""The colours by name on a light ground."""
DARK: Final = {
    "paper": "#1b1a18",
    "ink": "#ece8df",
    "faint": "#a8a294",
    "rule": "#3d3a34",
    "card": "#252320",
    "link": "#8cc0ff",
    "upper": "#262422",
    "lower": "#37342f",
    "curve": "#f2eee4",
    "area": "#f2eee433",
    "inaccuracy": "#e0b340",
    "mistake": "#f08a4b",
    "blunder": "#ff6b7d",
    "best": "#63c98a",
}
"""The same on a dark one."""


def _variables(colors: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


GRAPH_STYLE: Final = """\
.graph text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.graph .title { font-weight: 600; font-size: 13px; }
.graph .tick { fill: var(--faint); } .graph .end { text-anchor: end; } .graph .mid { text-anchor: middle; }
.graph .upper { fill: var(--upper); } .graph .lower { fill: var(--lower); }
.graph .line { stroke: var(--rule); } .graph .middle { stroke: var(--faint); }
.graph .area { fill: var(--area); } .graph .curve { fill: none; stroke: var(--curve); stroke-width: 2; }
.graph .tip { fill: transparent; } .graph .tip:hover { fill: var(--area); }
.graph .loss { fill: var(--faint); }
.graph .loss.inaccuracy, .graph .dot.inaccuracy { fill: var(--inaccuracy); }
.graph .loss.mistake, .graph .dot.mistake { fill: var(--mistake); }
.graph .loss.blunder, .graph .dot.blunder { fill: var(--blunder); }
.graph .dot { stroke-width: 2; } .graph .dot.black { stroke: #000; } .graph .dot.white { stroke: #fff; }
"""
"""The rules of the graph alone, for whoever shows it elsewhere."""

STYLE: Final = f"""\
:root {{ color-scheme: light dark; {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{
  margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}}
h1 {{ font-size: 1.6rem; margin: 0.5rem 0; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.2rem; margin: 2rem 0 0.5rem; }}
h3 {{ font-size: 1rem; margin: 0 0 0.5rem; }}
a {{ color: var(--link); }}
a:focus-visible, [tabindex]:focus-visible {{ outline: 3px solid var(--link); outline-offset: 2px; }}
.faint {{ color: var(--faint); }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }}
th:first-child, td.text, th.text {{ text-align: left; }}
thead th {{ color: var(--faint); font-weight: 600; }}
tr:target {{ background: var(--upper); }}
.cards {{ display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }}
.card {{ background: var(--card); border: 1px solid var(--rule); border-radius: 0.5rem; padding: 0.8rem; }}
.card svg {{ display: block; width: 100%; height: auto; margin-bottom: 0.6rem; }}
.card p {{ margin: 0.3rem 0; }}
.name {{ font-weight: 600; }}
.name.inaccuracy {{ color: var(--inaccuracy); }} .name.mistake {{ color: var(--mistake); }}
.name.blunder {{ color: var(--blunder); }} .name.best {{ color: var(--best); }}
.graph {{ display: block; width: 100%; height: auto; min-width: 34rem; }}
{GRAPH_STYLE}\
@media print {{ body {{ max-width: none; }} .card {{ break-inside: avoid; }} .scroll {{ overflow: visible; }} }}
"""
