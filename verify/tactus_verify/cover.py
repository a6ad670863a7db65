"""The depth that polytopes of translations prove, for tactus-verify: certificates of kind `covered`.

After each translation in one of the polytopes the bodies meet; that all translations shorter than the depth lie in them is shown
by cases. Which case to look at next, and with which weights, is found in doubles; what follows is computed in integers.
"""

from itertools import combinations

from .bodies import Mesh, add, cross, dot, fixed, neg, norm, outside, rotate, sub

# Cases that are looked at before a depth is given up, and planes of one case.
MOST_CASES, MOST_PLANES = 200000, 16
# Bits of a weight.
WEIGHT = 60
FLAT = 1e-12


class Plane:
    """All x with n . x >= offset; n of any length, and as a unit vector in doubles."""

    def __init__(self, n, offset):
        self.n, self.offset, self.length = n, offset, norm(n)
        self.unit = tuple(c / self.length for c in n)
        self.height = offset / self.length


def real_dot(u, v) -> float:
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def real_cross(u, v) -> tuple:
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def weighted(planes, weights) -> tuple:
    """The sum of the planes' offsets and of their normals, with weights for their units."""
    longest = max(p.length for p in planes)
    whole = [int(w * (1 << WEIGHT)) * longest // p.length for p, w in zip(planes, weights)]
    total, normal = 0, (0, 0, 0)
    for p, w in zip(planes, whole):
        total += w * p.offset
        normal = add(normal, tuple(w * c for c in p.n))
    return total, normal


def solve(planes):
    """Weights of one to three planes whose weighted normals sum up to the shortest vector on all of them; None: no such."""
    n, h = [p.unit for p in planes], [p.height for p in planes]
    if len(planes) == 1:
        return h
    if len(planes) == 2:
        g, d = real_dot(*n), real_dot(real_cross(*n), real_cross(*n))
        return [(h[0] - g * h[1]) / d, (h[1] - g * h[0]) / d] if d > FLAT else None
    c = [real_cross(n[1], n[2]), real_cross(n[2], n[0]), real_cross(n[0], n[1])]
    d = real_dot(n[0], c[0])
    if abs(d) <= FLAT:
        return None
    x = [sum(c[k][i] * h[k] for k in range(3)) / d for i in range(3)]
    return [real_dot(x, c[k]) / d for k in range(3)]


def cancelling(planes, last):
    """Weights of one to three planes whose normals cancel that of the last one as well as can be."""
    n, goal = [p.unit for p in planes], neg(last.unit)
    if len(planes) == 1:
        return [real_dot(goal, n[0])]
    if len(planes) == 2:
        g, d = real_dot(*n), real_dot(real_cross(*n), real_cross(*n))
        p, q = real_dot(goal, n[0]), real_dot(goal, n[1])
        return [(p - g * q) / d, (q - g * p) / d] if d > FLAT else None
    c = [real_cross(n[1], n[2]), real_cross(n[2], n[0]), real_cross(n[0], n[1])]
    d = real_dot(n[0], c[0])
    return [real_dot(goal, c[k]) / d for k in range(3)] if abs(d) > FLAT else None


class Cases:
    """Is no vector shorter than `wanted` outside of all polytopes?"""

    def __init__(self, polytopes, wanted):
        self.polytopes, self.wanted, self.beyond, self.count = polytopes, wanted, [], 0

    def settled(self, planes, weights) -> bool:
        """Beyond the planes no vector is shorter: by their offsets against the length of their normals' sum."""
        total, normal = weighted(planes, weights)
        return total > 0 and total >= self.wanted * norm(normal)

    def closed(self) -> tuple:
        """Is the case settled? Else the shortest vector beyond its planes, in doubles."""
        best, x = 0.0, (0.0, 0.0, 0.0)
        last = self.beyond[-1]
        for size in (1, 2, 3):
            for planes in combinations(self.beyond, size):
                weights = solve(planes)
                if weights is None or min(weights) < 0:
                    continue
                if self.settled(planes, weights):
                    return True, None
                y = tuple(sum(w * p.unit[i] for p, w in zip(planes, weights)) for i in range(3))
                length = real_dot(y, y) ** 0.5
                bound = sum(w * p.height for p, w in zip(planes, weights)) / length if length > 0 else 0.0
                if bound > best:
                    best, x = bound, y
            for planes in combinations(self.beyond[:-1], size):
                weights = cancelling(planes, last)
                if weights is not None and min(weights) >= 0 and self.settled((*planes, last), (*weights, 1.0)):
                    return True, None
        return False, x

    def hold(self) -> bool:
        self.count += 1
        if self.count > MOST_CASES or len(self.beyond) > MOST_PLANES:
            return False
        x = (0.0, 0.0, 0.0)
        if self.beyond:
            done, x = self.closed()
            if done:
                return True
        depth, polytope = max(((min(p.height - real_dot(p.unit, x) for p in faces), faces) for faces in self.polytopes),
                              key=lambda found: found[0], default=(0.0, None))
        if depth <= 0.0:
            return False
        for plane in polytope:
            self.beyond.append(plane)
            if not self.hold():
                return False
            self.beyond.pop()
        return True


def faces_of(cover, corners, out):
    """The planes of a cover's faces, less `out`; None when what is outside of it need not be beyond one of them."""
    indices = [i for f in cover["faces"] for i in f]
    if len(corners) < 4 or not indices or min(indices) < 0 or max(indices) >= len(corners):
        return None
    if not Mesh(corners, cover["faces"]).is_closed_surface:
        return None
    middle = tuple(sum(c[i] for c in corners[:4]) for i in range(3))  # four times
    planes = []
    for i, j, k in cover["faces"]:
        n = cross(sub(corners[j], corners[i]), sub(corners[k], corners[i]))
        offset = dot(n, corners[i]) - out * norm(n)
        if not any(n) or dot(n, middle) >= 4 * offset:
            return None
        planes.append(Plane(n, offset))
    return planes


def parts_of(pair, certificate, cover):
    """The parts of A and B that a polytope speaks of: of a depth of unions its own, else those of the certificate."""
    found = []
    for parts, name in ((pair.a, "part_a"), (pair.b, "part_b")):
        index = max((cover if pair.union_depth else certificate).get(name, -1), 0)
        found.append(parts[index] if index < len(parts) else None)
    return found


def corners_of(pair, cover, parts, piece_of) -> tuple:
    """Translations after which the bodies meet, and how far off they may be; None: that is not shown."""
    pieces = [piece_of(part, cover[name]) if isinstance(part, Mesh) or cover[name] == -1 else None
              for part, name in zip(parts, ("triangle_a", "triangle_b"))]

    def vector(v) -> tuple:
        return tuple(fixed(float(x), pair.grid) for x in v)

    if "held_in" in cover:
        in_a = cover["held_in"] == "a"
        holder, inner = (parts[0], pieces[1]) if in_a else (parts[1], pieces[0])
        if not isinstance(holder, Mesh) or not holder.is_closed or inner is None:
            return None
        point, shift = pair.point(cover["point"]), vector(cover["shift"])
        moved = add(point, shift) if in_a else sub(point, shift)
        radius = holder.distance(moved) - 2
        corners = [vector(s["point_a"]) for s in cover["supports"]]
        if radius <= 0 or not holder.winds_around(moved) or any(norm(sub(c, shift)) > radius for c in corners):
            return None
        return corners, outside(inner, point)
    if None in pieces:
        return None
    corners, out = [], 0
    for s in cover["supports"]:
        p, q = (add(rotate(part.frame[0], vector(s[name])), part.frame[1])
                for part, name in zip(parts, ("point_a", "point_b")))
        out = max(out, outside(pieces[0], p) + outside(pieces[1], q))
        corners.append(sub(p, q))
    return (corners, out) if out <= pair.slack else None


def depth_by_cover(pair, certificate, wanted, piece_of):
    """`wanted`, less the rounding allowed, where the polytopes prove it; None where they don't."""
    polytopes = []
    for cover in certificate.get("covers", ()):
        parts = parts_of(pair, certificate, cover)
        found = corners_of(pair, cover, parts, piece_of) if None not in parts else None
        planes = faces_of(cover, *found) if found else None
        if planes is None:
            return None
        polytopes.append(planes)
    allowed = wanted - pair.slack
    return allowed if allowed > 0 and Cases(polytopes, allowed).hold() else None
