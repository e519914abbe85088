"""Generates bursts and brackets whose ground truth is known.

The scene is a dead-leaves image: occluding discs of all sizes, which have the edges and statistics of photographs, with
1/f noise as texture. Cubic splines interpolate it, so that each frame can be shifted and rotated by any amount.
"""
import pathlib
import subprocess

import numpy
import tifffile
from scipy import ndimage

BLACK, WHITE = 528, 4095
NEUTRAL = numpy.array([0.50, 1.00, 0.62], numpy.float32)
MARGIN = 48
PLACES = ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2))  # row, column and colour in the RGGB pattern
MATRIX = [0.9, -0.3, -0.1, -0.4, 1.2, 0.2, 0.0, 0.2, 0.6]


def noise_profile(iso):
    """Returns shot and read noise (variance = shot · signal + read) for a full well of 8000 electrons at ISO 100."""
    shot = iso / 100 / 8000
    return shot, 6.25 * shot * shot


def grain(height, width, random):
    """Returns 1/f noise, which has equal power in each octave, with standard deviation 1."""
    waves = numpy.fft.rfft2(random.standard_normal((height, width), numpy.float32))
    down, right = numpy.fft.fftfreq(height)[:, None], numpy.fft.rfftfreq(width)[None]
    waves /= numpy.maximum(numpy.hypot(down, right), 2 / max(height, width)).astype(numpy.float32)
    result = numpy.fft.irfft2(waves, (height, width)).astype(numpy.float32)
    return result / result.std()


def dead_leaves(height, width, random):
    """Returns the reflectances of occluding discs whose size distribution makes the picture scale-invariant."""
    picture = numpy.full((height, width, 3), 0.2, numpy.float32)
    smallest, largest = 5.0, 250.0
    count = int(3 * height * width / (2 * numpy.pi * smallest**2 * numpy.log(largest / smallest)))
    radii = 1 / numpy.sqrt(random.uniform(1 / largest**2, 1 / smallest**2, count))
    rows, columns = random.uniform(0, height, count), random.uniform(0, width, count)
    colours = numpy.exp(random.uniform(numpy.log(0.05), numpy.log(0.9), count))[:, None]
    colours = colours * random.uniform(0.75, 1, (count, 3))
    for radius, row, column, colour in zip(radii, rows, columns, colours.astype(numpy.float32)):
        top, left = max(0, int(row - radius)), max(0, int(column - radius))
        part = picture[top : int(row + radius) + 2, left : int(column + radius) + 2]
        down = (numpy.arange(part.shape[0], dtype=numpy.float32) + top - row)[:, None]
        right = numpy.arange(part.shape[1], dtype=numpy.float32) + left - column
        part[down * down + right * right < radius * radius] = colour
    return picture


def spline(picture):
    """Returns the coefficients of the cubic spline through each colour of a picture."""
    return [ndimage.spline_filter(picture[..., colour], order=3, output=numpy.float32) for colour in range(3)]


class View:
    """The transform from a frame's pixels (row, column) to the scene: a rotation about the centre, then a shift."""

    def __init__(self, shape, shift=(0.0, 0.0), degrees=0.0):
        turn = numpy.radians(degrees)
        self.matrix = numpy.array([[numpy.cos(turn), -numpy.sin(turn)], [numpy.sin(turn), numpy.cos(turn)]])
        middle = (numpy.array(shape) - 1) / 2
        self.offset = middle + shift - self.matrix @ middle


class MovingDisc:
    """A textured disc that moves through the scene with a velocity in pixels per frame."""

    def __init__(self, texture, middle, radius, velocity):
        self.texture, self.middle, self.radius = texture, numpy.array(middle), radius
        self.velocity = numpy.array(velocity)

    def cover(self, mosaic, view, time):
        """Draws the disc over a mosaic and returns the mask of the covered pixels."""
        middle = self.middle + self.velocity * time
        there = view.matrix.T @ (middle - view.offset)
        top, left = (numpy.maximum(there - self.radius - 4, 0).astype(int) // 2 * 2)
        part = mosaic[top : int(there[0] + self.radius + 4), left : int(there[1] + self.radius + 4)]
        if part.size == 0:
            return numpy.zeros(mosaic.shape, bool)
        grid = numpy.stack(numpy.mgrid[top : top + part.shape[0], left : left + part.shape[1]]).astype(float)
        inside = numpy.tensordot(view.matrix, grid, 1) + (view.offset - middle)[:, None, None]
        alpha = numpy.clip(self.radius - numpy.hypot(*inside), 0, 1).astype(numpy.float32)
        for row, column, colour in PLACES:
            cell = (slice(row, None, 2), slice(column, None, 2))
            coordinates = inside[(slice(None), *cell)] + self.radius + 4
            values = ndimage.map_coordinates(
                self.texture[colour], coordinates, order=3, prefilter=False, mode="nearest")
            part[cell] += alpha[cell] * (values - part[cell])
        moved = numpy.zeros(mosaic.shape, bool)
        moved[top : top + part.shape[0], left : left + part.shape[1]] = alpha > 0
        return moved


class Burst:
    """A burst of frames in files, with the noiseless frames as ground truth."""

    def __init__(self, folder, height, width, iso, exposures, shake, moves, seed):
        """`exposures` are in EV relative to frame 0: a frame is 2**EV times as bright."""
        random = numpy.random.default_rng(seed)
        self.iso, self.exposures = iso, exposures
        canvas = self.scene(height + 2 * MARGIN, width + 2 * MARGIN, max(exposures) > 0, random)
        self.views = [View((height, width))] + [
            View((height, width), random.uniform(-shake, shake, 2), random.uniform(-shake, shake) * 0.005)
            for _ in exposures[1:]
        ]
        self.discs = self.movers(canvas, height, width, random) if moves else []
        self.coefficients = spline(canvas)
        self.truth_rgb = numpy.maximum(canvas[MARGIN:-MARGIN, MARGIN:-MARGIN], 0)
        moved, scratch = numpy.zeros((height, width), bool), numpy.zeros((height, width), numpy.float32)
        self.truths, self.paths = [], []
        for index, (view, exposure) in enumerate(zip(self.views, exposures)):
            mosaic = self.look(view, height, width)
            for disc in self.discs:
                disc.cover(mosaic, view, index)
                # Pixels of frame 0 that a disc crosses in any frame are scored separately, as the moving region.
                moved |= disc.cover(scratch, self.views[0], index)
            self.truths.append(mosaic)
            self.paths.append(self.write(pathlib.Path(folder) / f"frame-{index}.dng", mosaic, exposure, random))
        inner = numpy.zeros((height, width), bool)
        inner[32:-32, 32:-32] = True
        self.still, self.moving = inner & ~moved, inner & moved

    @staticmethod
    def scene(height, width, is_bracket, random):
        """Returns textured dead leaves under uneven light; for brackets, from deep shadows to two stops above white."""
        picture = dead_leaves(height, width, random)
        picture *= numpy.exp(0.15 * grain(height, width, random))[..., None]
        light = ndimage.gaussian_filter(random.standard_normal((height // 16, width // 16)), 20)
        light = (light - light.min()) / (light.max() - light.min())
        light = ndimage.zoom(light, (height / (height // 16), width / (width // 16)), order=1)[:height, :width]
        darkest, brightest = (0.03, 4.5) if is_bracket else (0.3, 1.05)
        picture *= (darkest * (brightest / darkest) ** light).astype(numpy.float32)[..., None] * NEUTRAL
        picture = ndimage.gaussian_filter(picture, (0.5, 0.5, 0))
        return numpy.minimum(picture, 3.9 if is_bracket else 0.98)

    @staticmethod
    def movers(canvas, height, width, random):
        """Returns two moving discs, textured with other parts of the scene."""
        discs = []
        for centre, velocity in (((0.35, 0.3), (9, 14)), ((0.6, 0.65), (-16, 7))):
            radius = height // 12
            side = 2 * radius + 10
            top, left = random.integers(0, height - side), random.integers(0, width - side)
            texture = spline(canvas[top : top + side, left : left + side])
            discs.append(MovingDisc(texture, (centre[0] * height, centre[1] * width), radius, velocity))
        return discs

    def look(self, view, height, width):
        """Returns the noiseless mosaic that a frame with this view shows, at the exposure of frame 0."""
        mosaic = numpy.empty((height, width), numpy.float32)
        for row, column, colour in PLACES:
            ndimage.affine_transform(
                self.coefficients[colour], view.matrix * 2, view.matrix @ (row, column) + view.offset + MARGIN,
                (height // 2, width // 2), mosaic[row::2, column::2], order=3, prefilter=False, mode="nearest")
        return numpy.maximum(mosaic, 0)

    def write(self, path, mosaic, exposure, random):
        """Exposes a noiseless mosaic by `exposure` EV, adds noise, stores the frame as a DNG and returns its path."""
        shot, read = noise_profile(self.iso)
        light = mosaic * numpy.float32(2.0**exposure)
        light += random.standard_normal(light.shape, numpy.float32) * numpy.sqrt(shot * light + read)
        codes = numpy.clip(numpy.rint(light * (WHITE - BLACK) + BLACK), 0, WHITE).astype(numpy.uint16)
        matrix = [number for value in MATRIX for number in (round(value * 10000), 10000)]
        neutral = [number for value in NEUTRAL for number in (round(float(value) * 10000), 10000)]
        tags = [
            (271, "s", 0, "Synthetic", True), (272, "s", 0, "Dead Leaves", True), (33421, "H", 2, (2, 2), True),
            (33422, "B", 4, (0, 1, 1, 2), True), (50706, "B", 4, (1, 4, 0, 0), True),
            (50707, "B", 4, (1, 1, 0, 0), True),
            (50708, "s", 0, "Synthetic Dead Leaves", True), (50714, "I", 1, BLACK, True), (50717, "I", 1, WHITE, True),
            (50721, "2i", 9, matrix, True), (50728, "2I", 3, neutral, True), (50778, "H", 1, 21, True),
            (51041, "d", 2, (shot, read), True),
        ]
        tifffile.imwrite(path, codes, photometric="cfa", metadata=None, software=False, extratags=tags)
        exposed = 0.01 * 2.0**exposure
        subprocess.run(
            ["exiftool", "-q", "-overwrite_original", f"-ExposureTime={exposed}", f"-ISO={self.iso}", "-FNumber=2",
             "-DateTimeOriginal=2024:01:01 12:00:00", path], check=True)
        return path
