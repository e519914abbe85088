#!/usr/bin/env python3
"""Prints which readers open which of gscap's files, as tables in Markdown, and fails for a cell that is not explained.

Each file holds the same scene. A reader opens it if the mean of each colour is that of the reader's picture of the
plainest file of its kind: a wrong curve, a missing plane or black pixels differ. Readers that decode a DNG's preview
only, such as libtiff's tools, are compared with the preview's JPEG. Cells: "yes"; "no" for a gap that KNOWN explains;
"RED" for one that it does not. Needs gscap on PATH and the Debian packages of `Tools/build/packages render`.
"""

import concurrent.futures
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import imagecodecs
import numpy
import pillow_heif
import rawpy
import tifffile
from PIL import Image

pillow_heif.register_heif_opener()

# The reason of each gap: (readers, kinds): a reader's name and the start of a file's name.
KNOWN = {
    ("LibRaw", "jxl"): "LibRaw decodes JPEG XL only if it is built with Adobe's SDK",
    ("LibRaw 0.20", "jxl"): "no JPEG XL", ("dcraw", "jxl"): "no JPEG XL", ("darktable", "jxl"): "no JPEG XL",
    ("RawTherapee", "jxl"): "no JPEG XL",
    ("darktable", "predictor"): "darktable 4.2 reads predictor 1 of lossless JPEG only",
    ("ffmpeg", "jxl"): "no JPEG XL in TIFF", ("ffmpeg", "linear"): "ffmpeg decodes Bayer pictures of DNGs only",
    ("ffmpeg", "uncompressed"): "ffmpeg decodes lossless JPEG of DNGs only",
    ("ffmpeg", "heic"): "ffmpeg 5.1 reads HEIF sequences, not still pictures",
    ("Pillow", "jxl"): "Pillow has no JPEG XL",
    ("gdk-pixbuf", "heic"): "its loader is in the Debian package heif-gdk-pixbuf",
    ("gdk-pixbuf", "avif"): "its loader is in the Debian package libavif-gdk-pixbuf",
    ("gdk-pixbuf", "webp"): "its loader is in the Debian package webp-pixbuf-loader",
    ("gdk-pixbuf", "picture jxl"): "its loader is in the Debian package libjxl-gdk-pixbuf",
    ("exiftool", "tif"): "its validator allows the compressions of TIFF 6 only; Deflate is a supplement of 2002",
}
for bits in (8, 13, 15):
    KNOWN["ffmpeg", f"bayer {bits}-bit"] = "ffmpeg decodes 10, 12, 14 and 16 bits of DNGs only"
for reader in ("LibRaw", "LibRaw 0.20", "dcraw", "RawTherapee"):
    KNOWN[reader, "lossy JPEG"] = "it decodes lossy JPEG with a fixed curve, not the file's: darker"
for depth in (13, 14, 15):
    for reader in ("dcraw", "RawTherapee"):
        KNOWN[reader, f"{depth}-bit"] = "it reads the first 4096 entries of a curve only; gscap warns of these depths"


def run(*words, **options):
    """Runs a command and returns its standard output; raises if it fails."""
    result = subprocess.run([str(word) for word in words], capture_output=True, timeout=240, **options)
    if result.returncode != 0:
        text = (result.stderr or result.stdout).decode(errors="replace").strip().splitlines()
        raise RuntimeError(text[-1] if text else f"exit status {result.returncode}")
    return result.stdout


def means(pixels):
    """Returns the mean of each colour as a fraction of the largest value of the number format."""
    pixels = numpy.asarray(pixels)
    scale = 1 if pixels.dtype.kind == "f" else numpy.iinfo(pixels.dtype).max
    return pixels[..., :3].reshape(-1, min(3, pixels.shape[-1]) if pixels.ndim == 3 else 1).mean(0) / scale


def picture(path):
    return means(tifffile.imread(path))


def raw_page(path):
    with tifffile.TiffFile(path) as file:
        page = next(p for top in file.pages for p in (top, *(top.pages or ())) if int(p.photometric) in (32803, 34892))
        table = page.tags.get(50712)
        return None if table is None else numpy.array(table.value, dtype=numpy.uint16), page.asarray()


def linear_means(codes, table, path):
    codes = numpy.asarray(codes).squeeze()
    return means(codes if table is None else table[codes])


class Readers:
    """The readers, each a function from a file to the mean of each colour; `folder` is for their output."""

    def __init__(self, folder):
        self.folder = folder
        self.target = lambda path, ending: folder / f"{path.name}-{os.getpid()}-{ending}"

    def sdk(self, path):
        code = "import dngpy,io,numpy,sys;f=io.BytesIO();numpy.save(f,dngpy.Dng(sys.argv[1]).raw_pixels);" \
            "sys.stdout.buffer.write(f.getvalue())"
        return linear_means(numpy.load(io.BytesIO(run(sys.executable, "-c", code, path))), raw_page(path)[0], path)

    def tifffile(self, path):
        table, codes = raw_page(path)
        return linear_means(codes, table, path)

    def libraw(self, path):
        with rawpy.imread(str(path)) as raw:
            return means(raw.postprocess(half_size=True, use_camera_wb=True, no_auto_bright=True))

    def old_libraw(self, path):
        copy = self.target(path, "libraw.dng")
        shutil.copy(path, copy)
        run("dcraw_emu", "-w", "-W", "-h", "-T", copy)
        return picture(f"{copy}.tiff")

    def dcraw(self, path):
        return picture(io.BytesIO(run("dcraw", "-w", "-W", "-h", "-T", "-c", path)))

    def darktable(self, path):
        target = self.target(path, "darktable.tif")
        # Two instances must not share a folder of settings.
        settings = self.folder / f"darktable-{threading.get_ident()}"
        run("darktable-cli", path, target, "--core", "--library", ":memory:", "--configdir", settings, "--conf",
            "plugins/darkroom/workflow=none", "--conf", "plugins/darkroom/chromatic-adaptation=legacy")
        return picture(target)

    def rawtherapee(self, path):
        target = self.target(path, "rawtherapee.tif")
        run("rawtherapee-cli", "-q", "-t", "-Y", "-o", target, "-c", path, env=os.environ | {"HOME": str(self.folder)})
        return picture(target)

    def libtiff(self, path):
        run("tiffinfo", path)
        target = self.target(path, "libtiff.tif")
        run("tiff2rgba", path, target)
        return picture(target)

    def vips(self, path):
        target = self.target(path, "vips.png")
        run("vips", "copy", path, target)
        return means(Image.open(target).convert("RGB"))

    def pixbuf(self, path):
        target = self.target(path, "pixbuf.png")
        run("gdk-pixbuf-thumbnailer", "-s", "256", path, target)
        return means(Image.open(target).convert("RGB"))

    def pillow(self, path):
        return means(Image.open(path).convert("RGB"))

    def ffmpeg(self, path):
        data = run("ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-pix_fmt",
                   "rgb24", "-")
        return means(Image.open(io.BytesIO(data)))

    def exiftool(self, path):
        words = run("exiftool", "-validate", "-warning", "-error", "-a", "-s3", path).decode().splitlines()
        serious = [word for word in words if word != "OK" and "minor" not in word.lower() and "auxl" not in word]
        if serious:
            raise RuntimeError(serious[0])

    def exiv2(self, path):
        if b"Exif.Image.Make" not in run("exiv2", "-pa", "-q", path):
            raise RuntimeError("it finds no Make")


def preview(path):
    """Returns the mean of each colour of a DNG's preview, which begins the file's first directory."""
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        return means(imagecodecs.jpeg8_decode(run_bytes(path, page.dataoffsets[0], page.databytecounts[0])))


def run_bytes(path, offset, count):
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(count)


def reason(reader, kind):
    """Returns the explanation of a gap; None without one."""
    return next((words for (name, part), words in KNOWN.items() if name == reader and part in kind), None)


def judge(readers, kinds, reference):
    """Reads every file with every reader; returns the cells and prints what is red."""
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kind, path in kinds.items():
            for name, reader in readers.items():
                jobs[name, kind] = pool.submit(reader, path)
    cells, red = {}, 0
    for (name, kind), job in jobs.items():
        try:
            found, expected = job.result(), reference(name, kind, jobs)
            if found is not None and (len(found) != len(expected) or abs(found - expected).max() > 0.02):
                raise RuntimeError(f"the means are {found.round(3)}, expected {expected.round(3)}")
            cells[name, kind] = "yes"
        except Exception as problem:  # any exception of a reader is a gap
            known = reason(name, kind)
            cells[name, kind] = "no" if known else "RED"
            red += not known
            print(f"{cells[name, kind]:4}{name}, {kind}: {known or problem}")
    return cells, red


def show(title, readers, kinds, cells):
    print(f"\n| {title} | " + " | ".join(readers) + " |\n|---" * 1 + "|---" * len(readers) + "|")
    for kind in kinds:
        print(f"| {kind} | " + " | ".join(cells[name, kind] for name in readers) + " |")
    print()


def make(folder):
    """Stores the scene as files of every kind; returns their paths by kind: mosaics, linear photos, pictures."""
    source = ["gscapsensorsrc", "is-live=false", "seed=7", "num-buffers=1", "!"]
    size = "width=640,height=480,framerate=30/1"
    launch = ["gst-launch-1.0", "--no-fault", "-q", *source]
    run(*launch, f"video/x-bayer,format=rggb16le,{size}", "!", "rawunpack", "!", "dngenc", "!", "filesink",
        f"location={folder}/bayer.dng")
    run(*launch, f"video/x-bayer,format=rggb12le,{size}", "!", "rawunpack", "!", "rawshutter", "frames=1", "captures=1",
        "!", "rawfusion", "!", "dngenc", "look=none", "!", "filesink", f"location={folder}/linear.dng")
    options = {f"{depth}-bit": ["--bits", depth] for depth in (8, 10, 12, 13, 14, 15, 16)} | {
        "uncompressed": ["--compression", "none"], "predictor best": ["--predictor", "5"],
        "jxl": ["--compression", "jpeg-xl"], "lossy jxl": ["--compression", "jpeg-xl", "--quality", "0.95"],
        "lossy JPEG": ["--quality", "0.95"],
    }
    raws = {}
    for kind in ("bayer", "linear"):
        raws[kind] = {}
        for name, words in options.items():
            if kind == "bayer" and name == "lossy JPEG":
                continue
            path = folder / f"{kind} {name}.dng".replace(" ", "-")
            run("gscap", "convert", f"{folder}/{kind}.dng", path, *words)
            raws[kind][f"{kind} {name}"] = path
    pictures = {}
    for name, words in {
        "a.jpg": [], "a.png": [], "b.png": ["--bits", "16"], "a.tif": [], "b.tif": ["--bits", "16"], "a.heic": [],
        "b.heic": ["--bits", "10"], "c.heic": ["--quality", "0.97"], "a.avif": [], "a.jxl": [],
        "a.webp": [], "d.jpg": ["--hdr", "map"], "d.heic": ["--hdr", "map"], "d.avif": ["--hdr", "map"],
    }.items():
        path = folder / name
        run("gscap", "develop", folder / "linear.dng", "-o", path, *words)
        pictures[f"picture {path.suffix[1:]} {' '.join(words).replace('--', '')}".strip()] = path
    return raws, pictures


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        raws, pictures = make(folder)
        every = Readers(folder)
        raw = {
            "SDK": every.sdk, "LibRaw": every.libraw, "LibRaw 0.20": every.old_libraw, "dcraw": every.dcraw,
            "darktable": every.darktable, "RawTherapee": every.rawtherapee, "tifffile": every.tifffile,
            "ffmpeg": every.ffmpeg,
        }
        beside = {
            "libtiff": every.libtiff, "vips": every.vips, "gdk-pixbuf": every.pixbuf, "Pillow": every.pillow,
            "exiftool": every.exiftool, "exiv2": every.exiv2,
        }
        red = total = 0
        for kind, files in raws.items():
            previews = {name: preview(path) for name, path in files.items()}

            def reference(name, file, jobs):
                plain = f"{kind} 16-bit"
                return jobs[name, plain].result() if name in raw else previews[file]

            readers = raw | beside
            cells, bad = judge(readers, files, reference)
            show(f"{kind} DNG", readers, files, cells)
            red, total = red + bad, total + len(cells)
        readers = {
            "Pillow": every.pillow, "vips": every.vips, "gdk-pixbuf": every.pixbuf, "ffmpeg": every.ffmpeg,
            "exiftool": every.exiftool, "exiv2": every.exiv2,
        }
        expected = means(Image.open(pictures["picture png"]).convert("RGB"))
        cells, bad = judge(readers, pictures, lambda name, kind, jobs: expected)
        show("picture", readers, pictures, cells)
        red, total = red + bad, total + len(cells)
        print(f"{total - red} passed, {red} failed")
        return 1 if red else 0
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
