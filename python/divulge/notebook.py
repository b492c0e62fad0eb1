"""What notebooks show."""

from __future__ import annotations

import html
import os
from typing import Optional, Union

from ._limits import Size, Time
from .errors import LimitReached


class Drawn:
    """Something that draws itself: notebooks show its picture."""

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """The picture as an SVG document; a :class:`LimitReached <divulge.LimitReached>` if it takes more than the limits allow."""
        raise NotImplementedError

    def _can_be_drawn(self) -> bool:
        return True

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.to_svg() if self._can_be_drawn() else None
        except LimitReached:
            # A notebook then shows it in words.
            return None


class Page:
    """A page of HTML with everything in it: shown inline by notebooks, or saved and opened in a browser."""

    def __init__(self, text: str, height: int = 760) -> None:
        #: the whole page
        self.html = text
        #: how high it is in a notebook, in pixels
        self.height = height

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page to a file, which a browser opens without a server."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.html)

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 6px"
        return f'<iframe srcdoc="{page}" style="{style}" title="divulge explorer"></iframe>'

    def __repr__(self) -> str:
        return f"<Page: {len(self.html) // 1024} kB; save(path) writes it>"
