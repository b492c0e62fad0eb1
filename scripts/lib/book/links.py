"""Checks every link of a site: that the file is there, and in it the place. Says what is wrong and exits with status 1."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[int, str]] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            if (tag, name) in {("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")} and value:
                self.links.append((self.getpos()[0], value))


def read(path: Path) -> Page:
    page = Page()
    # The playground is checked by its own tests, and is large.
    if path.name != "playground.html":
        page.feed(path.read_text(encoding="utf-8"))
    return page


def main(site: Path) -> int:
    pages = {path: read(path) for path in sorted(site.rglob("*.html"))}
    examples = {str(p.relative_to(site / "examples")) for p in (site / "examples").rglob("*") if p.is_file()}
    wrong, count = [], 0
    for path, page in pages.items():
        for line, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not link or link.startswith("//"):
                continue
            count += 1
            # The page for what is not found is shown at any address, so its links begin at the top.
            base = site if path.name == "404.html" else path.parent
            to = (base / unquote(parts.path)).resolve() if parts.path else path
            to = site / parts.path.lstrip("/") if parts.path.startswith("/") else to
            to = to / "index.html" if to.is_dir() else to
            place = unquote(parts.fragment)
            if not to.is_file():
                wrong.append(f"{path.relative_to(site)}:{line}: there is no {link}")
            elif to.name == "playground.html" and place.startswith("example="):
                name = place.removeprefix("example=").split("&")[0]
                if not {name, f"{name}.divulge"} & examples:
                    wrong.append(f"{path.relative_to(site)}:{line}: the playground has no example {name}")
            elif place and to in pages and to.name != "playground.html" and place not in pages[to].places:
                wrong.append(f"{path.relative_to(site)}:{line}: {to.relative_to(site)} has no place {place}")
    print(*wrong, sep="\n", file=sys.stderr)
    print(f"links: {count} in {len(pages)} pages, {len(wrong)} wrong", file=sys.stderr)
    return 1 if wrong or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
