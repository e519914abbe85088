#!/usr/bin/env python3
"""Compares renders with a reference picture: the mean of each colour may differ by at most 3 percent.

    compare_means.py REFERENCE RENDER...
"""

import pathlib
import sys

import imagecodecs
import tifffile

TOLERANCE = 0.03


def means(path):
    """Returns the mean of each colour of a JPEG or TIFF, on a scale of 0 to 255."""
    if path.suffix == ".tif":
        picture = tifffile.imread(path)
        picture = picture / (257 if picture.dtype == "uint16" else 1)
    else:
        picture = imagecodecs.jpeg_decode(path.read_bytes())
    return picture.reshape(-1, picture.shape[-1])[:, :3].mean(axis=0)


def main():
    reference, *renders = (pathlib.Path(name) for name in sys.argv[1:])
    expected = means(reference)
    failed = 0
    for render in renders:
        try:
            ratios = means(render) / expected
            fails = bool((abs(ratios - 1) > TOLERANCE).any())
            words = "red {:.3f}, green {:.3f}, blue {:.3f} of the reference".format(*ratios)
        except (OSError, ValueError) as reason:
            fails, words = True, f"the render cannot be read: {reason}"
        failed += fails
        print(f"{'FAIL' if fails else 'ok  '} {render.name}: {words}")
    print(f"{len(renders) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
