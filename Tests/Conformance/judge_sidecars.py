#!/usr/bin/env python3
"""Checks that darktable and exiftool read the XMP sidecars of gscap, and that gscap reads those of darktable.

    judge_sidecars.py PHOTO.dng

exiftool stores rating, label, keywords and title in a sidecar, and gscap adds crop and exposure. darktable imports the
photo with that sidecar, exports it and writes a sidecar of its own, with which gscap renders the photo. Needs gscap,
exiftool and darktable-cli on PATH. Prints a line for each check and the counts of passed and failed checks.
"""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

RATING, LABEL, KEYWORDS, TITLE, SIZE = 4, "Green", ["rock & roll", "sea"], "A day", (300, 200)
# darktable's number of the green label.
GREEN = 2


def run(*words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240)
    if result.returncode != 0:
        raise RuntimeError(f"{words[0]}: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def tags(path):
    return json.loads(run("exiftool", "-json", "-n", path))[0]


def check(name, found, expected):
    """Prints whether a value is as expected; returns that."""
    good = found == expected
    print(f"{'ok  ' if good else 'FAIL'} {name}: {found}{'' if good else f', expected {expected}'}")
    return good


def likeness(first, second):
    """Returns the correlation of the brightness of two pictures. With darktable's look it is about 0.8."""
    pixels = [numpy.asarray(Image.open(path).convert("L"), dtype=float).ravel() for path in (first, second)]
    return numpy.corrcoef(*pixels)[0, 1] if pixels[0].size == pixels[1].size else 0


def rows(database, query):
    with sqlite3.connect(database) as connection:
        return connection.execute(query).fetchall()


def judge(photo, folder, orientation):
    """Checks both directions for a photo of an Exif orientation; yields the results."""
    raw, sidecar, name = folder / "photo.dng", folder / "photo.xmp", f"orientation {orientation}"
    shutil.copy(photo, raw)
    run("exiftool", "-q", "-overwrite_original", "-n", f"-IFD0:Orientation={orientation}", "-XMP:all=", raw)
    words = [f"-XMP-dc:Subject={word}" for word in KEYWORDS]
    run("exiftool", "-q", f"-XMP:Rating={RATING}", f"-XMP:Label={LABEL}", f"-XMP-dc:Title={TITLE}", *words, sidecar)
    run("gscap", "develop", raw, folder / "gscap.png", "--write-sidecar", "--overwrite", "--ev", "0.5",
        "--crop", f"40,30,{SIZE[0]}x{SIZE[1]}")
    found = tags(sidecar)
    yield check(f"{name}: exiftool reads the sidecar", [
        found.get(key) for key in ("Rating", "Label", "Subject", "Title", "HasCrop", "Exposure2012", "Orientation")
    ], [RATING, LABEL, KEYWORDS, TITLE, True, 0.5, orientation])  # fmt: skip

    settings = folder / "darktable"
    run("darktable-cli", raw, folder / "darktable.png", "--core", "--library", folder / "library.db", "--configdir",
        settings, "--conf", "write_sidecar_files=on import", "--conf", "plugins/darkroom/workflow=none")
    yield check(f"{name}: darktable's crop", Image.open(folder / "darktable.png").size, SIZE)
    alike = likeness(folder / "gscap.png", folder / "darktable.png")
    yield check(f"{name}: darktable's crop has the same position ({alike:.3f})", bool(alike > 0.7), True)
    rating = rows(folder / "library.db", "select flags & 7 from images")[0][0]
    label = rows(folder / "library.db", "select color from color_labels")
    yield check(f"{name}: darktable's rating and label", (rating, label), (RATING, [(GREEN,)]))
    known = {word for word, in rows(settings / "data.db", "select name from tags")}
    yield check(f"{name}: darktable's keywords", sorted(known & set(KEYWORDS)), KEYWORDS)

    # The same photo with darktable's sidecar alone.
    sidecar.unlink()
    run("gscap", "develop", raw, folder / "again.jpg")
    yield check(f"{name}: gscap reads darktable's crop", Image.open(folder / "again.jpg").size, SIZE)
    alike = likeness(folder / "gscap.png", folder / "again.jpg")
    yield check(f"{name}: gscap's has, too ({alike:.3f})", bool(alike > 0.97), True)
    found = tags(folder / "again.jpg")
    yield check(f"{name}: gscap reads darktable's rating, label and keywords", (
        found.get("Rating"), found.get("Label"), sorted(found.get("Subject", []))
    ), (RATING, LABEL, KEYWORDS))  # fmt: skip


def main():
    results = []
    for orientation in (1, 6):
        with tempfile.TemporaryDirectory() as folder:
            try:
                results += judge(sys.argv[1], pathlib.Path(folder), orientation)
            except RuntimeError as problem:
                results.append(check("programs", str(problem), "no failure"))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
