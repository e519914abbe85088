// An RTSP server for the preview of a RAW camera, with gst-rtsp-server's C functions. While clients watch, each line on
// standard input takes a still at the full resolution of the camera.
//     swift run -c release RTSPStills [PORT [FOLDER [CAMERA]]]     # needs libgstrtspserver-1.0-dev
//     ffplay rtsp://127.0.0.1:8554/camera                         # in another terminal; then press Return here
// The server's pipeline knows no photos: the output is attached to its tee while the pipeline exists.

import CGStreamerRTSPServer
import GSCapture
import GStreamer
import Glibc
/// An event on another thread: the first client has come, and the tee carries raw frames; the last client has gone; a
/// line was read; the program ends. The task with the output handles them one by one.
enum ServerEvent: Sendable {
    case opened(tee: Element)
    case closed, line, stop
}

/// The events in their order.
enum Events { static let (stream, continuation) = AsyncStream<ServerEvent>.makeStream() }

/// Returns the server's pipeline. Its queue drops frames that the encoder is too slow for.
func pipelineText(camera: String) -> String {
    // x264enc is GPL-licensed, and so is a program that loads it; openh264enc has the BSD licence.
    let encoder =
        ElementFactory(named: "openh264enc") != nil
        ? "openh264enc complexity=low gop-size=30 bitrate=4000000"
        : "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=4000"
    return """
        ( \(camera) ! tee name=raw
          raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0
            ! rawunpack ! rawdevelop quality=preview ! videoconvert ! video/x-raw,format=I420
            ! \(encoder) ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )
        """
}

/// Connects a C function to a signal of a GObject, which casts it back from GCallback to the type of the signal.
func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ function: GCallback) {
    g_signal_connect_data(object, signal, function, nil, nil, GConnectFlags(rawValue: 0))
}

typealias MediaFunction =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<GstRTSPMedia>, UnsafeMutableRawPointer?) -> Void

/// Creates the server of `/camera`; nil if the port cannot be opened.
func startServer(port: String, text: String) -> UnsafeMutablePointer<GstRTSPServer>? {
    guard let server = gst_rtsp_server_new(), let factory = gst_rtsp_media_factory_new() else { return nil }
    gst_rtsp_server_set_address(server, "127.0.0.1")
    gst_rtsp_server_set_service(server, port)
    gst_rtsp_media_factory_set_launch(factory, text)
    gst_rtsp_media_factory_set_shared(factory, 1)
    let configure: MediaFunction = { _, media, _ in
        guard let bin = gst_rtsp_media_get_element(media) else { return }
        defer { gst_object_unref(bin) }
        let element = unsafe Element.wrapping(address: UInt(bitPattern: bin)) as? Bin
        if let tee = element?.element(named: "raw") { Events.continuation.yield(.opened(tee: tee)) }
        let unprepared: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Void = { _, _ in
            Events.continuation.yield(.closed)
        }
        connect(media, "unprepared", unsafeBitCast(unprepared, to: GCallback.self))
    }
    connect(factory, "media-configure", unsafeBitCast(configure, to: GCallback.self))
    let mounts = gst_rtsp_server_get_mount_points(server)
    defer { g_object_unref(mounts) }
    gst_rtsp_mount_points_add_factory(mounts, "/camera", factory)  // transfer: full
    return gst_rtsp_server_attach(server, nil) == 0 ? nil : server
}

/// Watches signals and standard input in GLib's main loop, which runs on a separate thread beside the Swift tasks.
func runMainLoop() {
    for signal in [SIGINT, SIGTERM] {
        _ = g_unix_signal_add(
            signal,
            { _ in
                Events.continuation.yield(.stop)
                return 1
            }, nil)
    }
    let readLine: GIOFunc = { input, _, _ in
        var text: UnsafeMutablePointer<CChar>?
        guard g_io_channel_read_line(input, &text, nil, nil, nil) == G_IO_STATUS_NORMAL else { return 0 }
        g_free(text)
        Events.continuation.yield(.line)
        return 1
    }
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN, readLine, nil)
    g_thread_unref(
        g_thread_new(
            "main-loop",
            { _ in
                g_main_loop_run(g_main_loop_new(nil, 0))
                return nil
            }, nil))
}

let arguments = CommandLine.arguments
let port = arguments.count > 1 ? arguments[1] : "8554"
let folder = arguments.count > 2 ? arguments[2] : "."
let camera =
    arguments.count > 3
    ? arguments[3] : "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=1920,height=1440,framerate=15/1"

/// Takes one photo and stores it.
func takeStill(_ output: PhotoOutput) async {
    guard output.isAttached else { return say("no still: the camera is off, because nobody watches") }
    do {
        for photo in try await output.capturePhoto(with: PhotoSettings(processed: [.jpeg])).photos {
            let path = "\(folder)/still-\(photo.resolvedSettings.uniqueID).jpg"
            say("\(path) \(try photo.write(to: path)) bytes")
        }
    } catch {
        say("no still: \(error)")
    }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

do {
    // Finds mistakes before the first client comes, and registers gscap's elements in this process.
    _ = try PipelinePlan(reading: camera + " ! fakesink")
} catch {
    say("\(error)")
    exit(EX_USAGE)
}
guard let server = startServer(port: port, text: pipelineText(camera: camera)) else {
    say("port \(port) cannot be opened")
    exit(EX_UNAVAILABLE)
}
runMainLoop()
say("rtsp://127.0.0.1:\(gst_rtsp_server_get_bound_port(server))/camera")
let output = PhotoOutput()
events: for await event in Events.stream {
    switch event {
    case .opened(let tee):
        do {
            try await output.attach(toTee: tee)
        } catch {
            say("no stills: \(error)")
        }
    case .closed: await output.detach()
    case .line: Task { await takeStill(output) }
    case .stop: break events
    }
}
await output.detach()
gst_rtsp_server_client_filter(server, { _, _, _ in GST_RTSP_FILTER_REMOVE }, nil)  // the last client ends the pipeline
