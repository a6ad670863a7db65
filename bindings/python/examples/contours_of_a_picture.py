"""Outlines of what a picture shows, to a small part of a pixel, as regions that queries take."""

import numpy as np

from tactus import fit, planar


def picture(size: int = 200) -> np.ndarray:
    """A ring and a disc with soft edges, light on dark, as an array of uint16."""
    y, x = np.mgrid[0:size, 0:size] + 0.5
    ring = np.abs(np.hypot(x - 80, y - 110) - 50) - 15
    disc = np.hypot(x - 165, y - 60) - 20
    inside = np.clip(0.5 - np.minimum(ring, disc), 0, 1)
    return np.round(inside * 65535).astype(np.uint16)


def main() -> None:
    tracing = fit.trace_contours(picture(), error=0.05)
    regions = [planar.Region(r.outer.points, [hole.points for hole in r.holes]) for r in tracing.regions]
    for region in regions:
        print(f"area {region.mass.area:.1f} pixels, centre {np.round(region.mass.centroid, 2)}, {len(region.contours) - 1} holes")
    gap = planar.distance(regions[0], None, regions[1], None)
    print(f"between them {gap.distance:.3f} pixels")
    expected = np.hypot(165 - 80, 110 - 60) - 65 - 20
    assert len(regions) == 2 and abs(gap.distance - expected) < 0.2
    assert abs(max(r.mass.area for r in regions) - np.pi * (65**2 - 35**2)) < 20


if __name__ == "__main__":
    main()
