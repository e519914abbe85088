#!/usr/bin/env python3
"""Checks that the stills and movies of gscap's Live Photos belong together, with exiftool and ffprobe as judges.

Half of the captures are taken one after another, by several processes in one folder; the other half overlap, and
their processes are killed (SIGKILL) at random. A still must never be seen without the movie that has the same content
identifier, and after the next run no movie without its still. Motion Photos must contain their movie where the XMP
packet says, to the byte.

    judge_live.py [--captures N]

Prints a line for each failed check, the number of captures, and the counts of passed and failed checks; exits with 0
if none failed.
"""

import argparse
import datetime
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from verdict import Verdict

CAMERA = ["--size", "320x240", "--rate", "30", "--no-preview", "--json"]
PROCESSES = 4
# Releases of exiftool differ in the name of tag 17 of Apple's maker note.
IDENTIFIERS = ["ContentIdentifier", "MediaGroupUUID"]


def start(folder, *options):
    """Starts gscap."""
    words = ["gscap", *options, "--output", str(folder), *CAMERA]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def events(process, verdict, name):
    """Waits for gscap, and returns the events about files."""
    output, errors = process.communicate()
    verdict.check(process.returncode == 0, f"{name}: exit code {process.returncode}: {errors.strip()}")
    lines = [json.loads(line) for line in output.splitlines()]
    return [line for line in lines if line["event"] == "file"]


def tags(files, *options):
    """Returns the tags of files as exiftool reads them, by name."""
    if not files:
        return {}
    words = ["exiftool", "-j", "-n", "-api", "largefilesupport=1", *options, *map(str, files)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return {pathlib.Path(entry["SourceFile"]).name: entry for entry in json.loads(run.stdout or "[]")}


def identifiers(folder, ending):
    """Returns the content identifiers of the visible files with an ending, by their names without it."""
    files = sorted(path for path in folder.glob(f"*{ending}") if not path.name.startswith("."))
    found = tags(files, *[f"-{name}" for name in IDENTIFIERS])
    values = {path.stem: [found.get(path.name, {}).get(name) for name in IDENTIFIERS] for path in files}
    return {stem: next(filter(None, texts), None) for stem, texts in values.items()}


def judge_pairs(verdict, folder, is_settled):
    """Checks that each still has its movie and, in a folder that a later process has tidied, each movie its still."""
    # The movies are listed after the stills, because a movie is published first.
    stills, movies = identifiers(folder, ".jpg"), identifiers(folder, ".mov")
    for name, identifier in stills.items():
        verdict.check(identifier, f"{name}.jpg has no content identifier")
        verdict.check(movies.get(name) == identifier, f"{name}: {identifier} and {movies.get(name)} differ")
    if is_settled:
        verdict.check(set(stills) == set(movies), f"alone: {set(stills) ^ set(movies)}")
        verdict.check(len(set(stills.values())) == len(stills), "an identifier occurs twice")
        hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        verdict.check(not hidden, f"left behind: {hidden}")
    return len(stills)


def judge_movie(verdict, path, event=None):
    """Checks a movie with ffprobe, and the time of its still with exiftool."""
    words = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time,key_frame"]
    run = subprocess.run([*words, "-of", "json", str(path)], capture_output=True, text=True, check=False)
    frames = json.loads(run.stdout or "{}").get("frames", [])
    times = [float(frame["pts_time"]) for frame in frames]
    verdict.check(not run.stderr, f"{path.name}: ffprobe says {run.stderr}")
    verdict.check(times and abs(times[0]) < 0.001 and times == sorted(times), f"{path.name}: the times are {times}")
    if not event or not times:
        return
    verdict.check(len(times) == event["movieFrames"], f"{path.name}: {len(times)} pictures, not {event['movieFrames']}")
    distance = min(abs(time - event["stillSeconds"]) for time in times)
    verdict.check(distance < 0.001, f"{path.name}: no picture at the still's time, {event['stillSeconds']}")
    if path.suffix == ".mov":
        run = subprocess.run(
            ["exiftool", "-ee", "-G3", "-n", "-a", "-StillImageTime", "-SampleTime", str(path)], capture_output=True,
            text=True, check=False)
        verdict.check("Still Image Time" in run.stdout, f"{path.name}: exiftool reads {run.stdout}{run.stderr}")
        words = ["ffprobe", "-v", "error", "-select_streams", "d", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
        run = subprocess.run([*words, str(path)], capture_output=True, text=True, check=False)
        stated = [float(line.strip(",")) for line in run.stdout.split()]
        is_right = len(stated) == 1 and abs(stated[0] - event["stillSeconds"]) < 0.001
        verdict.check(is_right, f"{path.name}: the metadata track states {stated}, not {event['stillSeconds']}")


def seconds(text):
    """Returns a date as exiftool writes it, in seconds of an arbitrary origin; None without one."""
    for form in ["%Y:%m:%d %H:%M:%S.%f%z", "%Y:%m:%d %H:%M:%S%z"]:
        try:
            return datetime.datetime.strptime(text or "", form).timestamp()
        except ValueError:
            pass
    return None


def judge_dates(verdict, event):
    """Checks the dates of a movie.

    That of its header is the date of its beginning, which the still's date and time in the movie give; the creation
    date in its metadata, which Apple's software shows, is that of the still, with the same time zone.
    """
    still, movie = pathlib.Path(event["file"]), pathlib.Path(event["movie"])
    words = ["exiftool", "-j", "-api", "QuickTimeUTC", "-SubSecDateTimeOriginal", "-CreateDate", "-CreationDate"]
    run = subprocess.run([*words, str(still), str(movie)], capture_output=True, text=True, check=False)
    found = {pathlib.Path(entry["SourceFile"]).suffix: entry for entry in json.loads(run.stdout or "[]")}
    taken = seconds(found.get(still.suffix, {}).get("SubSecDateTimeOriginal"))
    begun = seconds(found.get(movie.suffix, {}).get("CreateDate"))
    verdict.check(taken and begun, f"{still.name}: exiftool reads {found}")
    if taken and begun:
        # The movie's date has whole seconds; the still may have been exposed up to a frame after its picture.
        distance = taken - event["stillSeconds"] - begun
        verdict.check(-0.1 < distance < 1.1, f"{movie.name}: it begins {distance:.3f} s after its date")
    wanted = re.sub(r"\.\d+", "", found.get(still.suffix, {}).get("SubSecDateTimeOriginal", ""))
    stated = found.get(movie.suffix, {}).get("CreationDate")
    verdict.check(stated == wanted, f"{movie.name}: its creation date is {stated}, not {wanted}")


def one_after_another(verdict, folder, count):
    """Takes captures by several processes in one folder."""
    shares = [count // PROCESSES + (number < count % PROCESSES) for number in range(PROCESSES)]
    runs = [start(folder, "--live", "--photos", str(share)) for share in shares if share]
    files = [event for run in runs for event in events(run, verdict, "live")]
    verdict.check(len(files) == count, f"{len(files)} files of {count} captures")
    for event in files[:: max(1, len(files) // 20)]:
        judge_movie(verdict, pathlib.Path(event["movie"]), event)
        judge_dates(verdict, event)


def killed(verdict, folder, count):
    """Kills processes with overlapping captures at random until the folder has `count` stills; returns the kills."""
    kills = 0
    while judge_pairs(verdict, folder, is_settled=False) < count:
        runs = [start(folder, "--live", "--interval", "0.2") for _ in range(PROCESSES)]
        for run in runs:
            # The ring fills before the first press, whose movie ends a second and a half later.
            while run.stdout.readline() and not any(folder.glob("*.jpg")):
                pass
        end = time.monotonic() + random.uniform(3.5, 8)
        for run in runs:
            time.sleep(max(0, end - time.monotonic()) / len(runs) + random.uniform(0, 0.05))
            run.kill()
            run.communicate()
            kills += 1
    return kills


def motion_photos(verdict, folder, count):
    """Checks that the movie of a Motion Photo is found by its XMP packet."""
    for event in events(start(folder, "--motion-photo", "--photos", str(count)), verdict, "motion"):
        path = pathlib.Path(event["file"])
        found = tags([path], "-struct", "-XMP:all", "-Warning", "-Error").get(path.name, {})
        verdict.check(found.get("MotionPhoto") == 1 and found.get("MotionPhotoVersion") == 1, f"{path.name}: {found}")
        entries = [entry.get("Item", entry) for entry in found.get("ContainerDirectory", found.get("Directory", []))]
        sizes = [entry.get("Length") for entry in entries if entry.get("Semantic") == "MotionPhoto"]
        verdict.check(len(sizes) == 1, f"{path.name}: exiftool reads {entries}")
        data = path.read_bytes()
        size = sizes[0] if sizes else 0
        verdict.check(data[-size:][4:8] == b"ftyp", f"{path.name}: no movie at {len(data) - size}")
        verdict.check(data[-size - 2 : -size] == b"\xff\xd9", f"{path.name}: no JPEG before {len(data) - size}")
        stated = found.get("MotionPhotoPresentationTimestampUs", 0) / 1e6
        verdict.check(abs(stated - event["stillSeconds"]) < 0.001, f"{path.name}: the still is at {stated}")
        movie = folder / f"{path.stem}.mp4"
        movie.write_bytes(data[-size:])
        judge_movie(verdict, movie, event)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--captures", type=int, default=16, help="how many captures are judged (default: 16)")
    count = options.parse_args().captures
    verdict = Verdict()
    if not verdict.has_readers():
        print(f"0 passed, {verdict.failed} failed")
        return 1
    with tempfile.TemporaryDirectory() as name:
        calm, wild, single = (pathlib.Path(name) / part for part in ("calm", "wild", "single"))
        for folder in (calm, wild, single):
            folder.mkdir()
        one_after_another(verdict, calm, count // 2)
        taken = judge_pairs(verdict, calm, is_settled=True)
        kills = killed(verdict, wild, count - count // 2)
        events(start(wild, "--live", "--photos", "1"), verdict, "live")
        survivors = judge_pairs(verdict, wild, is_settled=True)
        motion_photos(verdict, single, max(1, count // 50))
        print(f"{taken} captures one after another, {survivors} overlapping ones, {kills} processes killed")
    print(f"{verdict.passed} passed, {verdict.failed} failed")
    return 1 if verdict.failed or not verdict.passed else 0


if __name__ == "__main__":
    sys.exit(main())
