"""Label maps: what events look like to an observer."""

from __future__ import annotations

from typing import Any, Callable, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

from ._json import Reader, Writer, malformed, opened, written
from ._labels import Labels
from ._limits import Limits, Size, Time, limits
from ._text import Namer, did_you_mean, key, listed, text
from .errors import DivulgeError
from .graph import Label
from .notebook import Drawn

Image = Any


class LabelMap(Drawn, Mapping[Label, Image]):
    """What each event looks like: a read-only dictionary from labels to images, ``None`` for events that are not seen at all."""

    def __init__(self, images: Mapping[Label, Image], names: Optional[Mapping[Label, str]] = None) -> None:
        self._images: Dict[Label, Image] = dict(images)
        #: what the images are called, where they were named by a search
        self._names = dict(names or {})

    #: draws the map beside its problem, where that is known
    _drawn: Optional[Callable[[Limits], str]] = None

    def to_svg(self, *, time_limit: Time = None, memory_limit: Size = None) -> str:
        """A picture of the map: what looks alike."""
        if self._drawn is None:
            raise DivulgeError("this map cannot be drawn, because its world is not known", "draw the map of a problem or an answer")
        return self._drawn(limits(time_limit, memory_limit))

    def _can_be_drawn(self) -> bool:
        return self._drawn is not None

    def to_json(self) -> str:
        """The map by itself: the ``map`` of a problem document, with what the names of labels and images stand for."""
        labels = Labels()
        for label in self._images:
            labels.declare(label, False)
        texts, images = image_names(self, labels)
        writer = Writer()
        values = {
            "labels": writer.named(labels.texts, labels.values),
            "images": writer.named(images, images.values()),
        }
        return written("map", {"map": dict(zip(labels.texts, texts)), **({"values": values} if any(values.values()) else {})})

    @classmethod
    def from_json(cls, given: str, *, types: Iterable[type] = ()) -> LabelMap:
        """The map that :meth:`to_json` wrote. ``types`` are the classes of labels and images that are members of enumerations, named tuples
        or data classes."""
        read = opened(given, "map", ["map"], ["values"])
        named, stand = read["map"], read.get("values", {})
        if not isinstance(named, dict) or not isinstance(stand, dict):
            raise malformed("map", "map")
        if not all(image is None or isinstance(image, str) for image in named.values()):
            raise malformed("map", "map")
        reader = Reader(types)
        images: Dict[str, None] = {image: None for image in named.values() if image is not None}
        value = dict(zip(images, reader.named(images, stand.get("images", {}))))
        labels = reader.named(named, stand.get("labels", {}))
        found = {label: None if image is None else value[image] for label, image in zip(labels, named.values())}
        return cls(found, {label: image for label, image in zip(labels, named.values()) if image is not None})

    def __reduce__(self) -> Any:
        # What draws it belongs to its problem.
        return LabelMap, (self._images, self._names)

    def __copy__(self) -> LabelMap:
        return self

    def __deepcopy__(self, memo: Any) -> LabelMap:
        return self

    def __getitem__(self, label: Label) -> Image:
        return self._images[label]

    def __iter__(self) -> Iterator[Label]:
        return iter(self._images)

    def __len__(self) -> int:
        return len(self._images)

    @property
    def groups(self) -> List[Tuple[Label, ...]]:
        """Labels that look alike, in groups; labels that look like no other, or are not seen at all, are left out."""
        return [group for group in self._classes().values() if len(group) > 1]

    @property
    def images(self) -> List[Image]:
        """What may be seen."""
        return list({key(image): image for image in self._images.values() if image is not None}.values())

    @property
    def unseen(self) -> List[Label]:
        """Labels that are not seen at all."""
        return [label for label, image in self._images.items() if image is None]

    def _classes(self) -> Dict[Any, Tuple[Label, ...]]:
        found: Dict[Any, Tuple[Label, ...]] = {}
        for label, image in self._images.items():
            if image is not None:
                found[key(image)] = (*found.get(key(image), ()), label)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._images.items()))

    def __repr__(self) -> str:
        parts = [f"{', '.join(text(label) for label in group)} alike" for group in self.groups]
        if self.unseen:
            parts.append(f"{', '.join(text(label) for label in self.unseen)} unseen")
        return "; ".join([f"<LabelMap: {len(self._classes())} images", *parts]) + ">"


AnyMap = Union[Mapping[Label, Image], Callable[[Label], Image], None]


def check_group(group: Any, what: str) -> Tuple[Label, ...]:
    """A group of labels; a lone text is none."""
    if isinstance(group, str) or not isinstance(group, Iterable):
        raise DivulgeError(f"`{text(group)}` is not a group of labels", f'groups are tuples in a list: {what}=[("left", "right")]')
    return tuple(group)


class MapSpec:
    """A map as it was given: for any world whose labels it fits."""

    def __init__(
        self,
        given: Union[Mapping[Label, Image], Callable[[Label], Image]],
        groups: Sequence[Tuple[Label, ...]],
        others: Any,
        unseen: Sequence[Label],
    ) -> None:
        self._given, self._groups, self._others, self._unseen = given, groups, others, unseen

    @classmethod
    def make(
        cls,
        given: AnyMap,
        merge: Optional[Iterable[Iterable[Label]]] = None,
        others: Any = None,
        unseen: Optional[Iterable[Label]] = None,
    ) -> Optional[MapSpec]:
        """What an observer was given; ``None`` if that is no map."""
        if isinstance(given, MapSpec):
            return given
        if given is None and merge is None and others is None and unseen is None:
            return None
        groups = [check_group(group, "merge") for group in merge or ()]
        if given and groups:
            raise DivulgeError("both `map` and `merge` are given", "give only one of them")
        if given is not None and not isinstance(given, Mapping) and not callable(given):
            raise DivulgeError(
                f"{given!r} is not a map", "a map is a dictionary from labels to images, or a function of a label"
            )
        return cls({} if given is None else given, groups, others, listed(unseen) if unseen is not None else [])

    def resolve(self, labels: Labels) -> LabelMap:
        """The map on these labels. What nobody sees by itself is seen only where a dictionary says so."""
        names: Dict[Label, str] = {}
        if isinstance(self._given, Mapping):
            found: Dict[Label, Image] = {label: self._others if self._others is not None else label for label in labels.values}
            found.update(dict.fromkeys(labels.unseen))
            for label, image in self._given.items():
                if label in labels.index:
                    found[label] = image
                elif not isinstance(self._given, LabelMap):
                    raise DivulgeError(f"the map mentions `{text(label)}`, but there is no such label", labels.near(label))
            if isinstance(self._given, LabelMap):
                names = self._given._names
        else:
            found = {label: None if label in labels.unseen else self._given(label) for label in labels.values}
            if found and all(image is None for image in found.values()):
                raise DivulgeError(
                    "the map gives None for every label, so that nothing would be seen at all",
                    "does the function return what an event looks like? If nothing is to be seen, list all labels in `unseen`",
                )
        grouped: Set[Label] = set()
        for group in self._groups:
            name = "|".join(labels.texts[labels.number(label)] for label in group)
            for label in dict.fromkeys(group):
                if label in grouped:
                    raise DivulgeError(f"`{text(label)}` is in two groups of `merge`", "put all labels that look alike into one group")
                grouped.add(label)
                found[label] = name
        for label in self._unseen:
            labels.number(label)
            if label in grouped:
                raise DivulgeError(f"`{text(label)}` is both merged with others and unseen", "leave it out of one of the two")
            if isinstance(self._given, Mapping) and self._given.get(label) is not None:
                raise DivulgeError(f"`{text(label)}` has an image in `map`, and is unseen", "leave it out of one of the two")
            found[label] = None
        for label, image in found.items():
            try:
                hash(image)
            except TypeError:
                raise DivulgeError(f"`{text(label)}` cannot look like {image!r}: images must be hashable", "give a text") from None
        return LabelMap(found, names)

    def __repr__(self) -> str:
        if callable(self._given) and not isinstance(self._given, Mapping):
            return "a function"
        shown = repr(dict(self._given)) if self._given or not self._groups else f"merge {list(self._groups)!r}"
        return shown if not self._unseen else f"{shown}, unseen {self._unseen!r}"


def image_names(found: LabelMap, labels: Labels) -> Tuple[List[Optional[str]], Dict[str, Image]]:
    """The name of each label's image, if it is seen, different names for different images, and the images by name."""
    namer = Namer()
    known: Dict[Tuple[type, Hashable], str] = {}
    texts: List[Optional[str]] = []
    for label, called in zip(labels.values, labels.texts):
        image = found[label]
        if image is None:
            texts.append(None)
            continue
        if key(image) not in known:
            # A label that looks like itself is called the same as an image.
            wanted = found._names.get(label) or (called if image == label else text(image))
            while wanted in namer.used:
                wanted += "'"
            namer.used[wanted] = image
            known[key(image)] = wanted
        texts.append(known[key(image)])
    return texts, dict(namer.used)


def named_map(texts: Sequence[Optional[str]], labels: Labels, fixed: Mapping[str, Image]) -> LabelMap:
    """A map that was found: a label that stands alone is its own image, others share their image's name."""
    members: Dict[str, List[int]] = {}
    for number, called in enumerate(texts):
        if called is not None:
            members.setdefault(called, []).append(number)
    images: Dict[Label, Image] = dict.fromkeys(labels.values)
    for called, group in members.items():
        alone = len(group) == 1 and labels.texts[group[0]] == called
        image = fixed.get(called, labels.values[group[0]] if alone else called)
        for number in group:
            images[labels.values[number]] = image
    ordered = {label: images[label] for label in labels.values}
    return LabelMap(ordered, {label: called for label, called in zip(labels.values, texts) if called is not None})
