"""The frame of every page: one HTML file, nothing loaded, light and dark, on screens and on paper.

In, out      title, body, extra style, data and script → HTML text
Safety       names from PDDL are escaped by whoever writes the body; data goes in as JSON that cannot end its element;
             the page's own policy forbids loading anything, so that a mistake in either does no harm
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

LONGEST_NAME = 120
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_FOR_SCRIPTS = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def document(title: str, body: str, *, style: str = "", data: object = None, script: str = "") -> str:
    """The whole page; `data` is what the script reads from the element with the id `data`."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{resource('plot.css')}{resource('page.css')}{style}</style>",
        "</head>",
        f"<body>\n{body}",
    ]
    if script:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_FOR_SCRIPTS)
        parts += [f'<script type="application/json" id="data">{text}</script>', f"<script>\n{script}</script>"]
    return "\n".join([*parts, "</body>", "</html>", ""])


def resource(name: str) -> str:
    """A style or script that comes with the package."""
    return (files("numbat.explain") / "data" / name).read_text(encoding="utf-8")
