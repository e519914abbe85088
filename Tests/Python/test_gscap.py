"""Tests of Library/Python/gscap.py against the plugin; run with PYTHONPATH=Library/Python."""
import gc
import json
import os
import signal
import threading
import time
import unittest

import gscap
from gi.repository import GLib, Gst

Gst.init(None)
CAMERA = "gscapsensorsrc is-live=true ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"
LIMIT = 30
LONG = "capture, frames=(int)64, zero-shutter-lag=(boolean)false"


def until(condition):
    """Waits for a condition, LIMIT seconds at most; returns whether it came."""
    end = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


class Opened(unittest.TestCase):
    """Cameras that gscap.Camera.open() has started."""

    def setUp(self):
        self.camera = gscap.Camera.open(CAMERA)
        self.addCleanup(self.camera.close)

    def test_photo_has_bytes_and_receipt(self):
        photo = self.camera.take_photo(gscap.Request(frames=1), LIMIT)
        self.assertEqual(photo.data[:2] + photo.data[-2:], b"\xff\xd8\xff\xd9")
        self.assertEqual((photo.media_type, photo.format, photo.error), ("image/jpeg", "jpeg", None))
        self.assertEqual((photo.receipt.capture_id, photo.receipt.frames_used), (photo.ticket, 1))
        self.assertLess(abs(photo.receipt.lag), 2)
        self.assertEqual(json.loads(photo.receipt.to_json())["capture-id"], photo.ticket)
        self.assertEqual(photo.sample.get_buffer().get_size(), len(photo.data))

    def test_requests_of_every_form(self):
        structure = Gst.Structure.new_from_string("press, frames=(int)1")
        requests = [None, "capture, frames=(int)1", structure, gscap.Request(
            frames=2, fusion_mode="speed", artist='A. "Q" Müller, Ü=1', orientation=6, latitude=48.1, longitude=11,
            altitude=520, white_temperature=5000, time=None, settings={"jpeg-encoder": {"quality": 0.5}})]
        for request in requests:
            result = self.camera.wait(self.camera.capture(request), LIMIT)
            self.assertEqual((result.outcome, result.reason, len(result.photos)), ("succeeded", "", 1))
        self.assertEqual(structure.n_fields(), 1)
        bracket = self.camera.wait(self.camera.capture(gscap.Request(frames=1, bracket=[-1, 1])), LIMIT)
        self.assertEqual(bracket.outcome, "succeeded")
        self.assertGreaterEqual(len(bracket.photos), 2)

    def test_keywords_are_in_the_file(self):
        photo = self.camera.take_photo(gscap.Request(frames=1, formats=["jpeg"], keywords=["lake", "A, B"]), LIMIT)
        self.assertIn(b"<rdf:li>A, B</rdf:li>", photo.data)

    def test_refused_presses_have_a_reason(self):
        for request, field in [("capture, frames=(string)two", "frames"), (gscap.Request(flash="often"), "flash"),
                               (gscap.Request(exposure_time=-1), "exposure-time")]:
            with self.assertRaisesRegex(gscap.Refused, field):
                self.camera.capture(request)
        for request in ["not, a structure", 7, gscap.Request(artist=b"bytes"), "capture, id=(int)0",
                        gscap.Request(settings={"a b": {}})]:
            with self.assertRaises(gscap.Error) as caught:
                self.camera.capture(request)
            self.assertEqual(caught.exception.code, "argument")

    def test_readiness_and_metrics(self):
        self.camera.take_photo(seconds=LIMIT)
        readiness = self.camera.readiness()
        self.assertTrue(readiness.accepted and readiness.verdict == "accepted" and readiness.frame_bytes >= 64 * 48 * 2)
        self.assertEqual(self.camera.readiness(gscap.Request(flash="often")).verdict, "invalid")
        self.assertEqual(self.camera.metrics().waiting, 0)

    def test_callback_receives_events_in_order(self):
        events, done, wrong = [], threading.Event(), []

        def receive(camera, event):
            events.append(event)
            for call in (camera.close, lambda: camera.wait(1, 0), camera.take_photo):
                try:
                    call()
                    wrong.append(call)
                except gscap.Error as error:
                    wrong.extend([error] if error.code != "in-callback" else [])
            if event.name == "done":
                done.set()

        self.camera.set_callback(receive)
        ticket = self.camera.capture("capture, frames=(int)1")
        self.assertTrue(done.wait(LIMIT))
        self.assertEqual((events[0].name, events[-1].name, wrong), ("begun", "done", []))
        self.assertEqual({event.ticket for event in events}, {ticket})
        self.assertEqual([len(event.photo.data) > 100 for event in events if event.photo], [True])
        self.assertEqual(events[-1].result, self.camera.wait(ticket, LIMIT))

    def test_eight_threads_press(self):
        photos = []
        threads = [threading.Thread(target=lambda: photos.extend(
            self.camera.take_photo(gscap.Request(frames=1), LIMIT) for _ in range(4))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({photo.ticket for photo in photos}), 32)

    def ask(self, *limits):
        """Returns the answer to a request for a photo."""
        answers, loop = [], GLib.MainLoop()
        self.camera.request_photo(lambda *answer: (answers.append(answer), loop.quit()), *limits)
        loop.run()  # ends with the answer, after the time limit at the latest
        self.assertEqual(len(answers), 1)
        return answers[0]

    def test_a_requested_photo_is_one_fresh_frame(self):
        first, error = self.ask()
        self.assertIsNone(error)
        self.assertEqual(first.receipt.frames_used, 1)
        second, _ = self.ask()
        self.assertGreater(second.ticket, first.ticket)
        third, _ = self.ask(1e12)
        self.assertEqual(third.ticket, second.ticket)
        self.assertGreater(third.receipt.age, second.receipt.age)
        self.assertEqual(self.ask(float("inf"))[0].ticket, second.ticket)

    def test_an_age_that_a_photo_exceeds_when_it_is_done_is_no_reason_to_throw_it_away(self):
        photo, error = self.ask(1e-9, LIMIT)
        self.assertIsNone(error)
        self.assertGreater(photo.receipt.age, 1e-9)

    def test_a_photo_that_is_late_serves_later_requests(self):
        self.assertEqual(self.ask(0, 0)[1].code, "time")
        late, error = self.ask(LIMIT, LIMIT)
        self.assertIsNone(error)
        self.assertEqual(self.ask(1e12, 0)[0].ticket, late.ticket)

    def test_requests_with_wrong_limits_are_refused(self):
        for wrong in (-1, float("nan"), float("-inf")):
            for limits in ((wrong, LIMIT), (0, wrong)):
                self.assertEqual(self.ask(*limits)[1].code, "argument")
        self.camera.close()
        self.assertEqual(self.ask()[1].code, "closed")

    def request_fifty(self, max_age):
        """Returns the photos of fifty requests, the tickets, and the most captures that were under way at once."""
        self.addCleanup(self.camera.set_callback, None)
        under_way, most, pressed, answers, loop = set(), [], set(), [], GLib.MainLoop()

        def note(camera, event):
            pressed.add(event.ticket)
            under_way.add(event.ticket)
            most.append(len(under_way))
            if event.name == "done":
                under_way.remove(event.ticket)

        def receive(photo, error):
            answers.append((photo, error))
            if len(answers) == 50:
                loop.quit()

        self.camera.set_callback(note)
        for _ in range(50):
            self.camera.request_photo(receive, max_age, LIMIT)
        loop.run()  # ends with the last answer, after LIMIT at the latest
        self.assertEqual([error for _, error in answers if error], [])
        self.camera.close()
        return [photo for photo, _ in answers], pressed, max(most)

    def test_photos_requested_at_once_are_of_one_capture(self):
        photos, pressed, _ = self.request_fifty(LIMIT)
        self.assertEqual(({photo.ticket for photo in photos}, len(pressed)), (pressed, 1))

    def test_fresh_photos_requested_at_once_are_of_one_capture_after_another(self):
        photos, pressed, most = self.request_fifty(0)
        self.assertEqual(({photo.ticket for photo in photos}, most), (pressed, 1))
        self.assertLess(len(pressed), 50)

    def test_cancel_and_limits(self):
        ticket = self.camera.capture(LONG)
        with self.assertRaises(gscap.Error) as late:
            self.camera.wait(ticket, 0)
        self.assertEqual(late.exception.code, "time")
        self.camera.cancel(ticket)
        self.assertEqual(self.camera.wait(ticket, LIMIT).outcome, "cancelled")
        for call in (lambda: self.camera.cancel(ticket), lambda: self.camera.wait(ticket, 1)):
            with self.assertRaises(gscap.Error) as gone:
                call()
            self.assertEqual(gone.exception.code, "ticket")

    def test_closing_ends_captures(self):
        events = []
        self.camera.set_callback(lambda camera, event: events.append(event))
        ticket = self.camera.capture(LONG)
        self.camera.close()
        self.camera.close()
        self.assertEqual([(event.ticket, event.result.outcome) for event in events if event.result],
                         [(ticket, "cancelled")])
        with self.assertRaises(gscap.Error) as closed:
            self.camera.capture()
        self.assertEqual(closed.exception.code, "closed")


class Kept(unittest.TestCase):
    """Cameras that keep no results."""

    def test_captures_that_end_at_once_have_a_result(self):
        with gscap.Camera.open(CAMERA, gscap.Options(deadline=1e-9), kept_results=0) as camera:
            for _ in range(50):
                with self.assertRaisesRegex(gscap.Error, "deadline") as caught:
                    camera.take_photo(seconds=LIMIT)
                self.assertEqual(caught.exception.code, "capture")


    def test_a_refused_press_releases_no_result(self):
        with gscap.Camera.open(CAMERA, kept_results=1) as camera:
            ticket = camera.capture("capture, frames=(int)1")
            self.assertTrue(until(lambda: camera.metrics().waiting == 0))
            with self.assertRaises(gscap.Refused):
                camera.capture("capture, frames=(int)0")
            self.assertEqual(camera.wait(ticket, LIMIT).outcome, "succeeded")


class Attached(unittest.TestCase):
    """Cameras in the pipeline of another program."""

    def setUp(self):
        self.pipeline = Gst.parse_launch(f"{CAMERA} ! tee name=tee ! queue ! fakesink name=screen sync=false")
        self.tee = self.pipeline.get_by_name("tee")
        self.addCleanup(self.pipeline.set_state, Gst.State.NULL)

    def test_attach_and_detach_in_a_playing_pipeline(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        for index in range(4):
            with gscap.Camera.attach_tee(self.tee) as camera:
                self.assertTrue(camera.take_photo(seconds=LIMIT).data)
                if index % 2:
                    camera.capture(LONG)
            self.assertEqual((self.tee.numsrcpads, self.pipeline.numchildren), (1, 5))
        message = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        self.assertIsNone(message and message.parse_error())

    def test_attach_before_the_pipeline_plays(self):
        pad = self.tee.request_pad_simple("src_%u")
        with gscap.Camera.attach(pad, gscap.Options(frames=1)) as camera:
            self.pipeline.set_state(Gst.State.PLAYING)
            self.pipeline.get_state(LIMIT * Gst.SECOND)
            self.assertTrue(camera.take_photo(seconds=LIMIT).data)

    def test_a_frame_on_its_way_does_not_end_the_stream(self):
        frames, pad = [], self.tee.request_pad_simple("src_%u")
        self.pipeline.get_by_name("screen").get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER, lambda *_: (frames.append(1), Gst.PadProbeReturn.OK)[1])
        self.pipeline.set_state(Gst.State.PLAYING)
        for _ in range(3):
            entering = threading.Event()
            with gscap.Camera.attach(pad):
                pad.get_peer().add_probe(Gst.PadProbeType.BUFFER, lambda *_: (
                    entering.set(), time.sleep(0.1), Gst.PadProbeReturn.OK)[-1])
                self.assertTrue(entering.wait(LIMIT))
            seen = len(frames)
            self.assertTrue(until(lambda: len(frames) > seen + 3))
            self.assertFalse(pad.is_linked())
        self.tee.release_request_pad(pad)

    def test_a_branch_that_fails_does_not_stop_the_program(self):
        frames = []
        sink = self.pipeline.get_by_name("screen")
        sink.get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER, lambda *_: (frames.append(1), Gst.PadProbeReturn.OK)[1])
        self.pipeline.set_state(Gst.State.PLAYING)
        with gscap.Camera.attach_tee(self.tee, gscap.Options(formats=["bayer", "jpeg"], frames=1)) as camera:
            camera.take_photo(seconds=LIMIT)
            for name in ("jpeg-encoder", "bayer-encoder", "shutter", "unpack"):
                element, seen = camera.element.get_by_name(name), len(frames)
                failure = GLib.Error.new_literal(Gst.StreamError.quark(), "it has failed", Gst.StreamError.FAILED)
                element.post_message(Gst.Message.new_error(element, failure, "a test"))
                self.assertTrue(until(lambda: len(frames) > seen + 3))
                self.assertTrue(until(lambda: camera.readiness().accepted))
                self.assertTrue(until(lambda: camera.wait(camera.capture(), LIMIT).outcome == "succeeded"))
            encoder = camera.element.get_by_name("jpeg-encoder")
            encoder.set_state(Gst.State.NULL)
            failed = camera.wait(camera.capture(), LIMIT)
            self.assertEqual(failed.outcome, "partial", failed.reason)
            self.assertEqual([photo.format for photo in failed.photos if photo.error], ["jpeg"])
        message = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        self.assertIsNone(message and message.parse_error())

    def test_frames_that_are_not_raw_do_not_stop_the_program(self):
        pipeline = Gst.parse_launch("appsrc name=app ! tee name=tee ! queue ! fakesink name=screen sync=false")
        with gscap.Camera.attach_tee(pipeline.get_by_name("tee")) as camera:
            source = pipeline.get_by_name("app")
            source.set_property("caps", Gst.Caps.from_string("video/x-raw,format=RGB,width=2,height=2,framerate=1/1"))
            pipeline.set_state(Gst.State.PLAYING)
            for _ in range(5):
                self.assertEqual(source.emit("push-buffer", Gst.Buffer.new_wrapped(bytes(16))), Gst.FlowReturn.OK)
            self.assertTrue(until(lambda: "video/x-raw" in camera.readiness().reason))
            with self.assertRaisesRegex(gscap.Refused, "Bayer"):
                camera.capture()
            self.assertEqual(source.emit("push-buffer", Gst.Buffer.new_wrapped(bytes(16))), Gst.FlowReturn.OK)
        message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        pipeline.set_state(Gst.State.NULL)
        self.assertIsNone(message and message.parse_error())

    def test_refusals(self):
        for code, call in [("link", lambda: gscap.Camera.attach(self.tee.get_static_pad("src_0"))),
                           ("argument", lambda: gscap.Camera.attach(None)),
                           ("argument", lambda: gscap.Camera.attach_tee(7)),
                           ("argument", lambda: gscap.Camera.use_element(self.tee)),
                           ("pipeline", lambda: gscap.Camera.open("")),
                           ("pipeline", lambda: gscap.Camera.open("nosuchelement")),
                           ("argument", lambda: gscap.Camera.open(CAMERA, gscap.Options(quality="good"))),
                           ("argument", lambda: gscap.Camera.open(CAMERA, gscap.Options(quality=float("nan")))),
                           ("argument", lambda: gscap.Camera.open(CAMERA, gscap.Options(frames=65))),
                           ("argument", lambda: gscap.Camera.open(CAMERA, gscap.Options(max_queued=0))),
                           ("argument", lambda: gscap.Camera.open(CAMERA, gscap.Options(deadline=-1)))]:
            with self.assertRaises(gscap.Error) as caught:
                call()
            self.assertEqual(caught.exception.code, code, str(caught.exception))

    def test_own_element(self):
        pipeline = Gst.parse_launch(f"{CAMERA} ! gscapphotobin name=photos")
        pipeline.set_state(Gst.State.PLAYING)
        with gscap.Camera.use_element(pipeline.get_by_name("photos")) as camera:
            self.assertTrue(camera.take_photo(seconds=LIMIT).data)
        pipeline.set_state(Gst.State.NULL)

    def test_close_ends_the_captures_of_an_own_element(self):
        pipeline = Gst.parse_launch(f"{CAMERA} ! gscapphotobin name=photos")
        self.addCleanup(pipeline.set_state, Gst.State.NULL)
        pipeline.set_state(Gst.State.PLAYING)
        photos, ends = pipeline.get_by_name("photos"), []
        with gscap.Camera.use_element(photos) as camera:
            camera.set_callback(lambda _, event: ends.append(event.result) if event.result else None)
            tickets = [camera.capture(LONG) for _ in range(2)]
        self.assertEqual([(end.ticket, end.outcome, end.reason) for end in ends],
                         [(ticket, "cancelled", "the camera was closed") for ticket in tickets])
        self.assertTrue(until(lambda: photos.get_property("waiting") == 0))

    def test_unknown_age_counts_from_the_press(self):
        pipeline = Gst.parse_launch(CAMERA.replace("is-live=true", "is-live=false") + " ! gscapphotobin name=photos")
        self.addCleanup(pipeline.set_state, Gst.State.NULL)
        pipeline.use_clock(None)  # without a clock no frame has an age
        pipeline.set_state(Gst.State.PLAYING)
        with gscap.Camera.use_element(pipeline.get_by_name("photos")) as camera:
            answers, loop, start = [], GLib.MainLoop(), time.monotonic()
            camera.request_photo(lambda *answer: (answers.append(answer), loop.quit()), LIMIT)
            loop.run()
            photo, error = answers[0]
            self.assertIsNone(error)
            self.assertGreaterEqual(photo.receipt.age, 0.9 * (time.monotonic() - start))


class Host(unittest.TestCase):
    """What the program keeps."""

    def test_repeated_opening_leaves_no_descriptors(self):
        counts = []
        for index in range(int(os.environ.get("GSCAP_PYTHON_ROUNDS", "12"))):
            with gscap.Camera.open(CAMERA) as camera:
                camera.take_photo(seconds=LIMIT) if index % 2 else camera.capture()
            gc.collect()
            counts.append(len(os.listdir("/proc/self/fd")))
        self.assertLessEqual(counts[-1], counts[3])

    def test_signal_handlers_stay(self):
        self.assertEqual(signal.getsignal(signal.SIGINT), signal.default_int_handler)


if __name__ == "__main__":
    unittest.main()
