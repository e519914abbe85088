"""RAW still photos from a GStreamer pipeline, with PyGObject and the GStreamer plugin gscap.

A camera is opened from a pipeline text, or attached to a pad of a pipeline that runs already:

    import gscap

    with gscap.Camera.open("gscapsensorsrc is-live=true ! video/x-bayer,width=640,height=480") as camera:
        photo = camera.take_photo(gscap.Request(frames=1))
        print(len(photo.data), photo.receipt.lag)

Needed are the Debian packages python3-gi, gir1.2-gstreamer-1.0 and gstreamer1.0-gscap. The module has the functions of
the C library libgscap, without using it.

Threads: all methods may be called on any thread. Callbacks run on threads of the pipeline and must return soon; there
Camera.wait(), Camera.take_photo() and Camera.close() raise an Error with the code "in-callback". The module starts no
threads, prints nothing and installs no signal handlers.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, GObject, Gst  # noqa: E402  # the version has to be chosen first

__all__ = ["Camera", "Error", "Event", "Metrics", "Options", "Photo", "Readiness", "Receipt", "Refused", "Request",
           "Result"]

ELEMENT = "gscapphotobin"
MESSAGE = "gscap-capture"

# The tickets of this module begin here, so that they differ from those of shutters and of the C library.
_tickets = itertools.count((1 << 49) + 1)
_ticket_lock = threading.Lock()
_in_callback = threading.local()


class Error(Exception):
    """A failure; the message says what is wrong and what to do.

    The code is that of the C library: "argument", "plugin", "pipeline", "camera", "link", "refused", "time", "ticket",
    "closed", "in-callback" or "capture".
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Refused(Error):
    """A press that was refused; retry_after is the time in seconds after which it would be accepted, if known."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__("refused", message)
        self.retry_after = retry_after


@dataclasses.dataclass(frozen=True)
class Options:
    """How the photos of a camera are made; None is the default of the element gscapphotobin."""

    formats: Sequence[str] | None = None
    quality: float | None = None
    frames: int | None = None
    fusion_mode: str | None = None
    max_queued: int | None = None
    deadline: float | None = None
    location: str | None = None


@dataclasses.dataclass(frozen=True)
class Request:
    """What a press asks for; None leaves a value to the camera. bracket has exposures in EV."""

    frames: int | None = None
    time: int | None = None
    tolerance: float | None = None
    nearest: bool | None = None
    zero_shutter_lag: bool | None = None
    fusion_mode: str | None = None
    exposure_time: float | None = None
    iso: float | None = None
    exposure_bias: float | None = None
    bracket: Sequence[float] | None = None
    fuse_bracket: bool | None = None
    flash: str | None = None
    priority: str | None = None
    artist: str | None = None
    title: str | None = None
    copyright: str | None = None
    orientation: int | None = None
    latitude: float | None = None
    longitude: float | None = None
    altitude: float | None = None
    crop_factor: float | None = None
    white_temperature: float | None = None
    white_tint: float | None = None
    settings: Mapping[str, Mapping[str, str | int | float | bool]] | None = None
    formats: Sequence[str] | None = None
    every_frame: bool | None = None


@dataclasses.dataclass(frozen=True)
class Receipt:
    """How a photo came about; None is unknown. Times are seconds, sensor_running_time nanoseconds."""

    capture_id: int
    sensor_time: str | None = None
    sensor_running_time: int | None = None
    lag: float | None = None
    exposure_lag: float | None = None
    age: float | None = None
    settled: bool | None = None
    frames_used: int | None = None
    frame_number: int | None = None
    sharpness_chosen: bool | None = None
    burst_index: int | None = None
    burst_count: int | None = None
    burst_reference: bool | None = None

    def to_json(self) -> str:
        """Returns the receipt as a JSON object with the names of the messages, without unknown values."""
        fields = {name.replace("_", "-"): value for name, value in dataclasses.asdict(self).items()}
        return json.dumps({name: value for name, value in fields.items() if value is not None})


@dataclasses.dataclass(frozen=True)
class Photo:
    """A photo of a capture, or the reason why there is none.

    data has the bytes of the file, and media_type their type; exposure is the index in a bracket. sample is the
    Gst.Sample with the caps and metadata.
    """

    ticket: int
    format: str
    receipt: Receipt
    data: bytes = b""
    media_type: str = ""
    path: str | None = None
    error: str | None = None
    exposure: int = 0
    sample: Any = dataclasses.field(default=None, repr=False, compare=False)


@dataclasses.dataclass(frozen=True)
class Result:
    """How a capture ended: outcome is "succeeded", "partial", "failed" or "cancelled"."""

    ticket: int
    outcome: str
    reason: str
    photos: tuple[Photo, ...] = ()
    retry_after: float | None = None


@dataclasses.dataclass(frozen=True)
class Event:
    """A message of a capture. photo belongs to the event "photo", result to "done"; fields has all other values."""

    name: str
    ticket: int
    fields: Mapping[str, Any]
    photo: Photo | None = None
    result: Result | None = None


@dataclasses.dataclass(frozen=True)
class Readiness:
    """Whether a press would be accepted now; verdict is "accepted", "full", "too-large", "closed" or "invalid"."""

    accepted: bool
    verdict: str
    reason: str = ""
    retry_after: float | None = None
    frame_bytes: int = 0
    queued_bytes: int = 0
    ring_frames: int | None = None


@dataclasses.dataclass(frozen=True)
class Metrics:
    """Counters of a camera's element since its start; photo_age and photo_latency are None before the first photo."""

    waiting: int
    refused: int
    dropped_frames: int
    bytes_held: int
    photo_age: float | None
    photo_latency: float | None


def _load() -> None:
    """Initialises GStreamer and looks for the plugin."""
    if not Gst.is_initialized():
        Gst.init(None)
    if Gst.ElementFactory.find(ELEMENT):
        return
    needed = ("install the Debian package gstreamer1.0-gscap, or set GST_PLUGIN_PATH to the folder of "
              "libgstgscap.so")
    plugin = Gst.Registry.get().find_plugin("gscap")
    if plugin:
        raise Error("plugin", f"version {plugin.get_version()} of the GStreamer plugin gscap has no element {ELEMENT}: "
                              f"{needed} in a newer version")
    raise Error("plugin", f"the GStreamer plugin gscap is not installed: {needed}")


def _text(name: str, value: Any) -> str:
    """Returns a value of a request as a field in the text of a Gst.Structure."""
    if isinstance(value, bool):
        return f"{name}=(boolean){str(value).lower()}"
    if isinstance(value, int) and name in ("time", "frames", "orientation"):
        return f"{name}=({'guint64' if name == 'time' else 'int'}){value}"
    if isinstance(value, (int, float)):
        return f"{name}=(double){float(value)!r}"
    if isinstance(value, str):
        box = GObject.Value()
        box.init(GObject.TYPE_STRING)
        box.set_string(value)
        return f"{name}=(string){Gst.value_serialize(box)}"
    raise Error("argument", f"{name} is {value!r}, which is neither a number nor a text nor a truth value")


def _settings(settings: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns property values, by element and property, as a field in the text of a Gst.Structure."""
    for name in [*settings, *(name for values in settings.values() for name in values)]:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
            raise Error("argument", f"settings: {name!r} is not the name of an element or a property")
    elements = [f"{element}=(structure)[{', '.join(['values', *(_text(name, one) for name, one in values.items())])}]"
                for element, values in settings.items()]
    return f"settings=[{', '.join(['settings', *elements])}]"


def _request_text(request: Request) -> str:
    """Returns a request as the text of a Gst.Structure, with the fields that are not None."""
    fields = ["capture"]
    for field in dataclasses.fields(request):
        value = getattr(request, field.name)
        if value is None:
            continue
        if field.name == "bracket":
            exposures = [f"[exposure, {_text('exposure-bias', exposure)}]" for exposure in value]
            fields.append(f"bracket=(structure)<{', '.join(exposures)}>")
        elif field.name == "formats" and not isinstance(value, str):
            fields.append(_text("formats", ",".join(value)))
        elif field.name == "settings":
            fields.append(_settings(value))
        else:
            fields.append(_text(field.name.replace("_", "-"), value))
    return ", ".join(fields)


def _request(request: Request | Any | str | None, ticket: int) -> Any:
    """Returns a request as a Gst.Structure with a ticket, unless it has one."""
    if isinstance(request, Gst.Structure):
        structure = request.copy()
    elif request is None or isinstance(request, (str, Request)):
        text = request if isinstance(request, str) else _request_text(request or Request())
        try:
            structure = Gst.Structure.new_from_string(text)
        except TypeError:  # PyGObject's error for a constructor that returns NULL
            structure = None
        if not structure:
            raise Error("argument", f'the request is not a structure as "capture, frames=(int)4": {text}')
    else:
        raise Error("argument", f"a request is a Request, a Gst.Structure or a text, and not {type(request).__name__}")
    if not structure.has_field("id"):
        box = GObject.Value()
        box.init(GObject.TYPE_UINT64)
        box.set_uint64(ticket)
        structure.set_value("id", box)
    return structure


def _values(structure: Any, skipped: Sequence[str] = ()) -> dict[str, Any]:
    """Returns a structure's fields as Python values: structures as dictionaries, arrays as lists."""
    values: dict[str, Any] = {}
    for index in range(structure.n_fields()):
        name = structure.nth_field_name(index)
        if name in skipped:
            continue
        if structure.get_field_type(name).name == "GstValueArray":
            array = structure.get_array(name)[1]
            values[name] = [_value(array.get_nth(item)) for item in range(array.n_values)]
        else:
            values[name] = _value(structure.get_value(name))
    return values


def _value(value: Any) -> Any:
    return _values(value) if isinstance(value, Gst.Structure) else value


def _photo(ticket: int, message: Any) -> Photo:
    """Returns the photo of a message."""
    fields = _values(message, ["sample"])
    given = fields.get("receipt", {})
    receipt = Receipt(**{"capture_id": ticket, **{
        field.name: given[field.name.replace("_", "-")] for field in dataclasses.fields(Receipt)
        if field.name.replace("_", "-") in given}})
    sample = message.get_value("sample") if message.has_field("sample") else None
    data, media_type = b"", ""
    if sample and sample.get_buffer():
        buffer, caps = sample.get_buffer(), sample.get_caps()
        data = buffer.extract_dup(0, buffer.get_size())
        media_type = caps.get_structure(0).get_name() if caps and caps.get_size() else ""
    return Photo(ticket, fields.get("format") or fields.get("element") or "", receipt, data, media_type,
                 fields.get("path"), fields.get("error"), fields.get("exposure", 0), sample)


class _Capture:
    """A capture: under way until it has a result. first is the first photo, with the monotonic time of its exposure.

    A photo of unknown age counts as exposed at the press.
    """

    def __init__(self) -> None:
        self.pressed = time.monotonic()
        self.photos: list[Photo] = []
        self.first: tuple[float, Photo] | None = None
        self.result: Result | None = None
        self.is_accepted = False  # a refused press ends, too, but its result is not kept


class _Asker:
    """A request for a photo whose frame is not older than the monotonic time `oldest`; receive is None once called."""

    def __init__(self, receive: Callable[[Photo | None, Error | None], None], oldest: float) -> None:
        self.receive: Callable[[Photo | None, Error | None], None] | None = receive
        self.oldest = oldest
        self._timer: Any = None

    def limit(self, seconds: float) -> None:
        """Answers with an Error after so many seconds."""
        late = Error("time", f"there is no photo after {seconds:g} s; it is being made, and a later request may get it")
        self._timer = GLib.timeout_source_new(int(min(seconds, 86400) * 1000))
        self._timer.set_callback(lambda *_: self.answer(None, late))
        self._timer.attach(None)

    def answer(self, taken: tuple[float, Photo] | None, error: Error | None) -> bool:
        """Answers with a photo and the monotonic time of its exposure, or with an error; on the main loop's thread."""
        if self._timer:
            self._timer.destroy()
        receive, self.receive = self.receive, None
        if receive and taken:
            receipt = dataclasses.replace(taken[1].receipt, age=time.monotonic() - taken[0])
            receive(dataclasses.replace(taken[1], receipt=receipt), None)
        elif receive:
            receive(None, error)
        return False


class _Shared:
    """A capture that several requests share."""

    def __init__(self, ticket: int, askers: list[_Asker]) -> None:
        self.ticket = ticket
        self.askers = askers
        self.pressed = time.monotonic()


class Camera:
    """A photo branch in a pipeline: made by open(), attach(), attach_tee() or use_element(), ended by close().

    A camera is a context manager that closes itself.

        open ──close──► closed
         └──the pipeline fails: presses raise an Error "camera", all captures end as failed
    """

    def __init__(self, element: Any, kept_results: int = 16) -> None:
        """Uses a gscapphotobin; use_element() also checks it and sets its properties."""
        self._element = element
        self._pipeline: Any = None
        self._branch: Any = None
        self._pad: Any = None
        self._tee: Any = None
        self._changed = threading.Condition()
        self._captures: dict[int, _Capture] = {}
        self._finished: collections.deque[int] = collections.deque()
        self._kept_results = kept_results
        self._shared: _Shared | None = None  # the capture under way for request_photo()
        self._askers: list[_Asker] = []  # the requests that wait for the next one
        self._latest: tuple[float, Photo] | None = None
        self._callback: Callable[[Camera, Event], None] | None = None
        self._calls = 0
        self._failure: str | None = None
        self._closing = False
        self._closed = False
        self._handler = element.connect("capture-event", self._receive)

    # -- Opening ------------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, pipeline: str, options: Options | None = None, *, start_limit: float = 10,
             kept_results: int = 16) -> Camera:
        """Starts a pipeline from a text in the syntax of gst-launch-1.0 and waits until it plays.

        If the text does not contain gscapphotobin, " ! gscapphotobin" is appended, so it then ends with what gives the
        raw frames. Raises Error.
        """
        _load()
        if not pipeline.strip():
            raise Error("pipeline", "the pipeline is empty")
        text = pipeline if ELEMENT in pipeline else f"{pipeline} ! {ELEMENT}"
        try:
            parsed = Gst.parse_launch_full(text, None, Gst.ParseFlags.FATAL_ERRORS)
        except GLib.Error as error:
            raise Error("pipeline", f"the pipeline: {error.message}") from None
        if not isinstance(parsed, Gst.Pipeline):
            outer = Gst.Pipeline()
            outer.add(parsed)
            parsed = outer
        found = cls._find(parsed)
        _apply(found, options)
        camera = cls(found, kept_results)
        camera._pipeline = parsed
        camera._start(start_limit)
        return camera

    @staticmethod
    def _find(pipeline: Any) -> Any:
        """Returns the first gscapphotobin of a pipeline."""
        iterator = pipeline.iterate_all_by_element_factory_name(ELEMENT)
        result, element = iterator.next()
        if result != Gst.IteratorResult.OK:
            raise Error("pipeline", f"the pipeline has no element {ELEMENT}")
        return element

    def _start(self, limit: float) -> None:
        bus = self._pipeline.get_bus()
        bus.set_sync_handler(self._watch)
        change = self._pipeline.set_state(Gst.State.PLAYING)
        if change == Gst.StateChangeReturn.ASYNC:
            change = self._pipeline.get_state(int(limit * Gst.SECOND))[0]
        if self._failure is None and change not in (Gst.StateChangeReturn.FAILURE, Gst.StateChangeReturn.ASYNC):
            return
        reason = self._failure or ("an element gives no reason" if change == Gst.StateChangeReturn.FAILURE else
                                   f"it has not started within {limit:g} s: no frame has come, or a sink waits")
        self.close()
        raise Error("camera", f"the pipeline does not start: {reason}")

    def _watch(self, bus: Any, message: Any) -> Any:
        """Keeps the first error of the opened pipeline, and discards the messages before this one.

        The result DROP would leak the message, since it takes a reference that PyGObject does not give.
        """
        while bus.pop():
            pass
        if message.type == Gst.MessageType.ERROR:
            self._fail(f"{message.src.get_name()}: {message.parse_error()[0].message}")
        return Gst.BusSyncReply.PASS

    @classmethod
    def attach(cls, pad: Any, options: Options | None = None, *, kept_results: int = 16) -> Camera:
        """Adds a photo branch to the pipeline of a source pad that is not linked, such as a request pad of a tee.

        The pipeline may be in any state, the branch plays before it is linked, and the bus is not read. close()
        removes the branch. Raises Error.
        """
        _load()
        if not isinstance(pad, Gst.Pad) or pad.get_direction() != Gst.PadDirection.SRC:
            raise Error("argument", "this is not a source pad")
        if pad.is_linked():
            raise Error("link", f"the pad {pad.get_name()} is linked already: give it a tee, and attach to a new pad "
                                "of that")
        element = pad.get_parent_element()
        parent = element.get_parent() if element else None
        if not isinstance(parent, Gst.Bin):
            raise Error("link", f"the pad {pad.get_name()} belongs to no pipeline")
        photobin = Gst.ElementFactory.make(ELEMENT)
        if not photobin:
            raise Error("plugin", "the GStreamer plugin gscap cannot be loaded: gst-inspect-1.0 gscap shows the reason")
        _apply(photobin, options)
        camera = cls(photobin, kept_results)
        try:
            camera._join(parent, pad)
        except Error:
            camera.close()
            raise
        return camera

    @classmethod
    def attach_tee(cls, tee: Any, options: Options | None = None, *, kept_results: int = 16) -> Camera:
        """As attach(), with a new request pad of a tee, which close() releases."""
        _load()
        pad = tee.request_pad_simple("src_%u") if isinstance(tee, Gst.Element) else None
        if not pad:
            raise Error("argument", "this is not an element with request pads src_%u, as a tee")
        try:
            camera = cls.attach(pad, options, kept_results=kept_results)
        except Error:
            tee.release_request_pad(pad)
            raise
        camera._tee = tee
        return camera

    def _join(self, parent: Any, pad: Any) -> None:
        """Adds the branch to a bin in the bin's state, and then links it."""
        queue = Gst.ElementFactory.make("queue")
        if not queue:
            raise Error("plugin", "GStreamer has no element queue: install the package libgstreamer1.0-0")
        Gst.util_set_object_arg(queue, "leaky", "downstream")
        for name, value in {"max-size-buffers": 4, "max-size-bytes": 0, "max-size-time": 0}.items():
            queue.set_property(name, value)
        self._branch = Gst.Bin()
        self._branch.add(queue)
        self._branch.add(self._element)
        queue.link(self._element)
        sink = Gst.GhostPad.new("sink", queue.get_static_pad("sink"))
        self._branch.add_pad(sink)
        parent.add(self._branch)
        if not self._branch.sync_state_with_parent():
            raise Error("camera", "the photo branch does not start")
        if pad.link(sink) != Gst.PadLinkReturn.OK:
            raise Error("link", f"the pad {pad.get_name()} cannot be linked to a photo branch: it gives "
                                f"{pad.query_caps(None).to_string()}, and raw frames are "
                                f"{sink.query_caps(None).to_string()}")
        self._pad = pad
        self._branch.sync_state_with_parent()

    @classmethod
    def use_element(cls, element: Any, options: Options | None = None, *, kept_results: int = 16) -> Camera:
        """Uses a gscapphotobin that the program has put into a pipeline; close() leaves it there."""
        _load()
        factory = element.get_factory() if isinstance(element, Gst.Element) else None
        if not factory or factory.get_name() != ELEMENT:
            raise Error("argument", f"this is not an element {ELEMENT}")
        _apply(element, options)
        return cls(element, kept_results)

    @property
    def element(self) -> Any:
        """The camera's gscapphotobin, whose properties may be set."""
        return self._element

    @property
    def pipeline(self) -> Any:
        """The pipeline that open() started, otherwise None."""
        return self._pipeline

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends all captures as cancelled, and removes the branch or stops the pipeline; does nothing the second time.

        Waits at most ten seconds for callbacks on other threads, and then raises an Error "time".
        """
        _refuse_in_callback("close()")
        with self._changed:
            first, self._closing = not self._closing, True
        if first:
            self._dismantle()
            self._end_captures("cancelled", "the camera was closed")
            with self._changed:
                self._callback = None
                self._closed = True
                self._changed.notify_all()
        with self._changed:
            if not self._changed.wait_for(lambda: self._closed and self._calls == 0, 10):
                raise Error("time", "a callback has not returned within 10 s: call close() again")

    def _dismantle(self) -> None:
        if self._branch:
            self._branch.set_locked_state(True)
            if self._pad:
                _unlink(self._pad, self._branch.get_static_pad("sink"))
            if self._tee:
                self._tee.release_request_pad(self._pad)
            self._branch.set_state(Gst.State.NULL)
            parent = self._branch.get_parent()
            if parent:
                parent.remove(self._branch)
        if self._pipeline:
            self._pipeline.set_state(Gst.State.NULL)
            self._pipeline.get_bus().set_sync_handler(None)
        self._element.disconnect(self._handler)

    # -- Captures -----------------------------------------------------------------------------------------------------

    def capture(self, request: Request | Any | str | None = None) -> int:
        """Presses the shutter and returns the ticket of the capture at once.

        The request is a Request, a Gst.Structure, or the text of one as in "capture, frames=(int)4". Raises Refused
        with the reason if the press is refused.
        """
        return self._press(request)[0]

    def _press(self, request: Request | Any | str | None) -> tuple[int, _Capture]:
        """Presses the shutter and returns the ticket and the capture."""
        with _ticket_lock:
            ticket = next(_tickets)
        structure = _request(request, ticket)
        ticket = structure.get_value("id")
        capture = _Capture()
        with self._changed:
            if self._closing:
                raise Error("closed", "the camera is closed")
            if self._failure:
                raise Error("camera", f"the camera has failed: {self._failure}")
            if type(ticket) is not int or ticket <= 0 or ticket in self._captures:
                raise Error("argument", f"id {ticket} is not above 0 or that of another capture: leave it out")
            self._captures[ticket] = capture
        if self._element.emit("capture", structure):
            with self._changed:
                capture.is_accepted = True
                if capture.result and self._captures.get(ticket) is capture:
                    self._keep(ticket)
            return ticket, capture
        with self._changed:
            self._forget(ticket)
        if not capture.result:
            raise Refused("the press was refused: another capture may have the same id")
        raise Refused(capture.result.reason, capture.result.retry_after)

    def wait(self, ticket: int, seconds: float) -> Result:
        """Waits at most so many seconds for the end of a capture; returns each result once."""
        _refuse_in_callback("wait()")
        if not seconds >= 0:
            raise Error("argument", "the time limit is not 0 or above")
        with self._changed:
            capture = self._captures.get(ticket)
            if not capture:
                raise Error("ticket", f"there is no capture {ticket}, or its result was returned or released")
            return self._await(ticket, capture, seconds)

    def _await(self, ticket: int, capture: _Capture, seconds: float) -> Result:
        """Waits for the end of a capture; under the lock."""
        self._changed.wait_for(lambda: capture.result, min(seconds, 86400))
        if not capture.result:
            raise Error("time", f"capture {ticket} has not ended within {seconds:g} s")
        self._forget(ticket)
        return capture.result

    def take_photo(self, request: Request | Any | str | None = None, seconds: float = 30) -> Photo:
        """Presses the shutter, waits at most so many seconds, and returns the first photo that was made.

        If the time has passed, the capture is cancelled.
        """
        _refuse_in_callback("take_photo()")
        if not seconds >= 0:
            raise Error("argument", "the time limit is not 0 or above")
        ticket, capture = self._press(request)
        try:
            with self._changed:
                result = self._await(ticket, capture, seconds)
        except Error as error:
            if error.code == "time":
                self._element.emit("cancel", ticket)
            raise
        for photo in result.photos:
            if photo.error is None:
                return photo
        errors = [photo.error for photo in result.photos if photo.error]
        raise Error("capture", result.reason or (errors[0] if errors else "the capture made no photo"))

    def request_photo(self, receive: Callable[[Photo | None, Error | None], None], max_age: float = 0,
                      wait: float = 30) -> None:
        """Calls receive(photo, error) once, in GLib's main loop, with a photo of one frame.

        The frame is no older than max_age seconds at the time of this call, so by default it is fresh. Requests that a
        photo satisfies share it: the last one, that of the capture under way, or that of the next capture, which begins
        when the one under way has ended. The receipt states the age at the call of receive. Without a photo the error
        is Refused, or an Error: "time" after `wait` seconds, a day at most, or "argument" if a number is below 0. A
        photo that comes later serves later requests. For servers with a main loop.
        """
        asker = _Asker(receive, time.monotonic() - max_age)
        for name, value in ("max_age", max_age), ("wait", wait):
            if not value >= 0:
                GLib.idle_add(asker.answer, None, Error("argument", f"{name} is {value!r}, and not 0 or above"))
                return
        with self._changed:
            latest = self._latest
            if latest and latest[0] >= asker.oldest:
                GLib.idle_add(asker.answer, latest, None)
                return
            asker.limit(wait)
            if self._shared and self._shared.pressed >= asker.oldest:
                self._shared.askers.append(asker)
                return
            self._askers.append(asker)
        self._press_for_askers()

    def _press_for_askers(self) -> bool:
        """Begins a capture for the requests that wait for the next one, unless one is under way."""
        with self._changed:
            askers = [asker for asker in self._askers if asker.receive]
            if self._shared or not askers:
                return False
            with _ticket_lock:
                ticket = next(_tickets)
            self._shared, self._askers = _Shared(ticket, askers), []
        try:
            self.capture(_request(Request(frames=1), ticket))
        except Error as error:
            self._answer(ticket, None, error)
        return False

    def _answer(self, ticket: int, first: tuple[float, Photo] | None, error: Error | None) -> bool:
        """Answers the requests that share a capture, and begins the next; returns whether they share this one."""
        with self._changed:
            shared = self._shared
            if not shared or shared.ticket != ticket:
                return False
            self._shared = None
            self._latest = first or self._latest
        for asker in shared.askers:
            GLib.idle_add(asker.answer, first, error)
        GLib.idle_add(self._press_for_askers)
        return True

    def cancel(self, ticket: int) -> None:
        """Ends a capture as cancelled; raises an Error "ticket" if it is not under way."""
        if not self._element.emit("cancel", ticket):
            raise Error("ticket", f"capture {ticket} is not under way")

    def set_callback(self, callback: Callable[[Camera, Event], None] | None) -> None:
        """Sets the function that receives the messages of all captures of the element, or None.

        The messages of one capture come in order, "done" last, on a thread of the pipeline.
        """
        with self._changed:
            self._callback = None if self._closing else callback

    def readiness(self, request: Request | Any | str | None = None) -> Readiness:
        """Returns whether a press would be accepted now."""
        structure = _request(request, 1)
        structure.remove_field("id")
        with self._changed:
            if self._closing or self._failure:
                return Readiness(False, "closed", self._failure or "the camera is closed")
        answer = _values(self._element.emit("admission", structure))
        return Readiness(answer["verdict"] == "accepted", **{
            name.replace("-", "_"): value for name, value in answer.items()
            if name.replace("-", "_") in Readiness.__dataclass_fields__})

    def metrics(self) -> Metrics:
        """Returns the counters of the element."""
        values = {field.name: self._element.get_property(field.name.replace("_", "-"))
                  for field in dataclasses.fields(Metrics)}
        for name in ("photo_age", "photo_latency"):
            # Before the first photo both are negative.
            values[name] = values[name] if values[name] >= 0 else None
        return Metrics(**values)

    # -- Messages -----------------------------------------------------------------------------------------------------

    def _forget(self, ticket: int) -> None:
        """Removes a capture whose result was returned or whose press was refused; under the lock."""
        self._captures.pop(ticket, None)
        if ticket in self._finished:
            self._finished.remove(ticket)

    def _keep(self, ticket: int) -> None:
        """Keeps the result of a capture that has ended, and releases the oldest beyond the limit; under the lock."""
        self._finished.append(ticket)
        while len(self._finished) > self._kept_results:
            self._captures.pop(self._finished.popleft(), None)

    def _receive(self, _element: Any, message: Any) -> None:
        """Handles a message of the element, on the thread that posts it."""
        if message.get_name() == MESSAGE and message.has_field("event") and message.has_field("capture-id"):
            name, ticket = message.get_string("event"), message.get_value("capture-id")
            photo = _photo(ticket, message) if name == "photo" else None
            self._deliver(name, ticket, _values(message, ["sample", "event", "capture-id"]), photo)

    def _deliver(self, name: str, ticket: int, fields: Mapping[str, Any], photo: Photo | None = None) -> None:
        with self._changed:
            capture = self._captures.get(ticket)
            if capture and capture.result:
                return  # ended when the camera failed, before the element ended it
            result = self._update(capture, ticket, name, photo, fields)
            callback = self._callback
            self._calls += 1
        try:
            if callback:
                _in_callback.depth = getattr(_in_callback, "depth", 0) + 1
                try:
                    callback(self, Event(name, ticket, fields, photo, result))
                finally:
                    _in_callback.depth -= 1
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def _update(self, capture: _Capture | None, ticket: int, name: str, photo: Photo | None,
                fields: Mapping[str, Any]) -> Result | None:
        """Adds a message to its capture; under the lock. Returns the result that ends the capture."""
        if capture and photo:
            capture.photos.append(photo)
            if not capture.first and photo.error is None:
                age = photo.receipt.age
                capture.first = (capture.pressed if age is None else time.monotonic() - age, photo)
        if name != "done":
            return None
        result = Result(ticket, fields.get("result", "failed"), fields.get("reason", ""),
                        tuple(capture.photos) if capture else (), fields.get("retry-after"))
        first = capture.first if capture else None
        is_asked = self._answer(ticket, first, None if first else Refused(result.reason, result.retry_after))
        if capture:
            capture.result = result
            if is_asked:
                self._captures.pop(ticket)
            elif capture.is_accepted:
                self._keep(ticket)
            self._changed.notify_all()
        return result

    def _end_captures(self, outcome: str, reason: str) -> None:
        """Ends all captures under way."""
        with self._changed:
            tickets = [ticket for ticket, capture in self._captures.items() if not capture.result]
        for ticket in tickets:
            self._deliver("done", ticket, {"result": outcome, "reason": reason})
            # The element may go on: that of the program's own pipeline, or after the failure of another one.
            self._element.emit("cancel", ticket)

    def _fail(self, reason: str) -> None:
        with self._changed:
            first = self._failure is None and not self._closing
            if first:
                self._failure = reason
        if first:
            self._end_captures("failed", reason)


def _unlink(pad: Any, sink: Any) -> None:
    """Unlinks a pad from a branch while neither a buffer nor an event passes it, or after a second.

    One that reaches a branch which has stopped is refused, and the refusal ends the program's stream if the pad stays.
    """
    over = threading.Event()

    def unlink(*_: Any) -> Any:
        pad.unlink(sink)
        over.set()
        return Gst.PadProbeReturn.REMOVE

    probe = pad.add_probe(Gst.PadProbeType.IDLE, unlink)
    if not over.wait(1):
        pad.remove_probe(probe)
        pad.unlink(sink)


def _refuse_in_callback(method: str) -> None:
    if getattr(_in_callback, "depth", 0):
        raise Error("in-callback", f"{method} waits for threads, so a callback must not call it: call it on another "
                                   "thread")


def _apply(element: Any, options: Options | None) -> None:
    """Sets the properties that the options name."""
    for field in dataclasses.fields(options) if options else ():
        value, name = getattr(options, field.name), field.name.replace("_", "-")
        if value is None:
            continue
        if name == "formats" and not isinstance(value, str):
            value = ",".join(value)
        limits = element.find_property(name)
        if not limits:
            raise Error("plugin", f"the element {ELEMENT} has no property {name}: install a newer gstreamer1.0-gscap")
        # GObject prints a value out of range and ignores it.
        if isinstance(value, (int, float)) and hasattr(limits, "maximum") and not (
                limits.minimum <= value <= limits.maximum):
            raise Error("argument", f"{name} cannot be {value!r}: it is from {limits.minimum:g} to {limits.maximum:g}")
        try:
            element.set_property(name, value)
        except (TypeError, ValueError, OverflowError) as error:
            raise Error("argument", f"{name} cannot be {value!r}: {error}") from None
