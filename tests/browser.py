"""A real browser for tests: pictures of pages, and what a page says of itself at a given width."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMIUM_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

# Errors are caught from before the page's own script on; what the page loads would be a violation of its policy.
_WATCH = """<script>
var troubles = [];
addEventListener("error", (event) => troubles.push(String(event.message)), true);
addEventListener("securitypolicyviolation", (event) => troubles.push(event.violatedDirective));
</script>"""
_FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe width="{width}" height="900" style="border:0" srcdoc="{page}"></iframe><pre id="answer"></pre><script>
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {{
  const page = frame.contentWindow, root = page.document.documentElement;
  const answer = {{ troubles: page.troubles, title: page.document.title, width: root.clientWidth,
                   needed: root.scrollWidth, text: page.document.body.innerText }};
  answer.result = ({script})(page.document, page);
  document.getElementById("answer").textContent = "ANSWER" + JSON.stringify(answer) + "END";
}});
</script>"""


def examine(page: str, width: int, folder: Path, script: str = "() => null") -> dict[str, Any]:
    """Open the page in a frame of this width; `script`, a function of its document and window, gives `result`."""
    watched = page.replace("<title>", f"{_WATCH}<title>", 1)
    file = folder / f"frame-{width}.html"
    file.write_text(_FRAME.format(width=width, page=escape(watched), script=script), encoding="utf-8")
    command = [str(CHROMIUM), *CHROMIUM_OPTIONS, f"--user-data-dir={folder / 'profile'}", "--window-size=1400,1000"]
    done = subprocess.run(
        [*command, "--virtual-time-budget=20000", "--dump-dom", file.as_uri()],
        check=True,
        capture_output=True,
        timeout=120,
    )
    found = re.findall(r'<pre id="answer">ANSWER(.*)END</pre>', done.stdout.decode("utf-8"), re.DOTALL)
    assert found, done.stderr.decode("utf-8", "replace")
    answer: dict[str, Any] = json.loads(unescape(found[-1]))
    return answer


# What is wrong with the words in the pictures of a page that are to be seen: cut off, or too small to read.
UNREADABLE = """(page) => [...page.querySelectorAll("svg text")].filter((text) => {
  const [word, picture] = [text, text.ownerSVGElement].map((node) => node.getBoundingClientRect());
  return word.height && (word.height < 9 || word.left < picture.left || word.right > picture.right);
}).map((text) => text.textContent)"""


def different_rows(png: bytes) -> int:
    """How many different rows of pixels, as stored, a picture has; a blank page has a handful."""
    width, height = struct.unpack(">II", png[16:24])
    data, place = b"", 8
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place : place + 8])
        if kind == b"IDAT":
            data += png[place + 8 : place + 8 + size]
        place += size + 12
    raw = zlib.decompress(data)
    stride = len(raw) // height
    assert stride > width
    return len({raw[row * stride : (row + 1) * stride] for row in range(height)})


def screenshot(page: Path, picture: Path, *options: str) -> bytes:
    command = [str(CHROMIUM), *CHROMIUM_OPTIONS, f"--user-data-dir={picture.with_suffix('')}", *options]
    command += [f"--screenshot={picture}", "--window-size=1300,1600", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return picture.read_bytes()
