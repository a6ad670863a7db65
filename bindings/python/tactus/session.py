"""Repeated questions about the same bodies."""

from typing import Any, Dict, Hashable, Iterator, Optional, Tuple

from . import _tactus


class Session:
    """Keeps shapes and caches for repeated questions: meshes are prepared once, and each pair goes on from where its last question ended.

    >>> session = Session()
    >>> session["box"] = _tactus.Box([2, 2, 2])
    >>> session["ball"] = _tactus.Sphere(0.5)
    >>> session.distance("box", None, "ball", [3, 0, 0]).distance
    1.5

    Options are those of `QueryOptions`, by keyword. Answers are as true as without a cache, and those of equal sessions that are asked the same in the same
    order have equal bits. A session is used by one thread at a time; it can be pickled.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._shapes: Dict[Hashable, _tactus.Shape] = {}
        self._caches: Dict[Tuple[str, Hashable, Hashable], _tactus.QueryCache] = {}
        _tactus.QueryOptions(**options)  # what is wrong with them is said at once

    def __setitem__(self, name: Hashable, shape: Any) -> None:
        """Gives a shape a name. What was kept for pairs of another shape of that name is forgotten."""
        self._shapes[name] = shape if isinstance(shape, _tactus.Shape) else _tactus.Shape(shape)
        self.forget(name)

    def __getitem__(self, name: Hashable) -> Any:
        return self._shapes[name]

    def __delitem__(self, name: Hashable) -> None:
        del self._shapes[name]
        self.forget(name)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)

    def __contains__(self, name: Hashable) -> bool:
        return name in self._shapes

    def forget(self, name: Optional[Hashable] = None) -> None:
        """Drops the caches of all pairs, or of those with one of the shapes."""
        self._caches = {} if name is None else {key: kept for key, kept in self._caches.items() if name not in key[1:]}

    def distance(self, a: Hashable, pose_a: Any, b: Hashable, pose_b: Any) -> Any:
        """As `tactus.distance`, of two shapes by their names."""
        return _tactus.distance(*self._pair(a, pose_a, b, pose_b), self._query(), self._cache("pose", a, b))

    def overlap(self, a: Hashable, pose_a: Any, b: Hashable, pose_b: Any) -> Any:
        """As `tactus.overlap`."""
        return _tactus.overlap(*self._pair(a, pose_a, b, pose_b), self._query(), self._cache("pose", a, b))

    def contacts(self, a: Hashable, pose_a: Any, b: Hashable, pose_b: Any) -> Any:
        """As `tactus.contacts`."""
        return _tactus.contacts(*self._pair(a, pose_a, b, pose_b), self._query(), self._cache("pose", a, b))

    def cast(self, a: Hashable, pose_a: Any, motion_a: Any, b: Hashable, pose_b: Any, motion_b: Any) -> Any:
        """As `tactus.cast`."""
        return _tactus.cast(self._shape(a), pose_a, motion_a, self._shape(b), pose_b, motion_b, self._query(), self._cache("cast", a, b))

    def impact(self, a: Hashable, pose_a: Any, motion_a: Any, b: Hashable, pose_b: Any, motion_b: Any) -> Any:
        """As `tactus.impact`."""
        return _tactus.impact(self._shape(a), pose_a, motion_a, self._shape(b), pose_b, motion_b, self._query(), self._cache("impact", a, b))

    def _query(self) -> Any:
        return _tactus.QueryOptions(**self._options)

    def _shape(self, name: Hashable) -> Any:
        if name not in self._shapes:
            raise _tactus.InvalidInput(str(name), "is no shape of this session")
        return self._shapes[name]

    def _pair(self, a: Hashable, pose_a: Any, b: Hashable, pose_b: Any) -> Tuple[Any, Any, Any, Any]:
        return self._shape(a), pose_a, self._shape(b), pose_b

    def _cache(self, kind: str, a: Hashable, b: Hashable) -> Any:
        return self._caches.setdefault((kind, a, b), _tactus.QueryCache())

    def __repr__(self) -> str:
        return f"Session({len(self._shapes)} shapes, {len(self._caches)} pairs)"
