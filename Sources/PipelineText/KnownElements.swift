/// Facts about well-known elements, looked up by factory name.
package enum KnownElements {
    /// Sinks that show video on a display.
    static let displaySinks: Set<String> = [
        "aasink", "autovideosink", "cacasink", "cluttersink", "d3d11videosink", "dfbvideosink", "fbdevsink",
        "fpsdisplaysink", "glimagesink", "glimagesinkelement", "gtkglsink", "gtksink", "gtkwaylandsink", "kmssink",
        "qmlglsink", "vulkansink", "waylandsink", "ximagesink", "xvimagesink",
    ]

    /// Sinks that write their input to files.
    static let fileSinks: Set<String> = ["filesink", "giosink", "multifilesink", "splitmuxsink"]

    /// Queue elements with one input: their output runs on a thread of the queue.
    static let queues: Set<String> = ["queue", "queue2"]

    /// Elements whose output runs on another thread than their input: queues with one or several inputs.
    static let threadBoundaries: Set<String> = queues.union(["multiqueue"])

    /// Elements with several independent paths, one for each pair of pads.
    static let separatePaths: Set<String> = [
        "multiqueue", "nicesink", "rtpbin", "rtpsession", "srtpenc", "webrtcbin",
    ]

    /// Elements whose output is a still image or its file.
    static let stillMakers: Set<String> = [
        "avifenc", "dngenc", "exrenc", "gscapjpegenc", "gscappngenc", "gscapwebpenc", "heifenc", "jxlenc", "rawfusion",
        "tiffenc",
    ]

    /// Elements that do not change the content of frames, although some drop or repeat frames.
    static let passing: Set<String> = [
        "capsfilter", "identity", "multiqueue", "queue", "queue2", "rawshutter", "tee", "valve", "videorate",
    ]

    /// Returns the Debian package that contains a commonly used element; nil if unknown.
    package static func package(of element: String) -> String? {
        packages[element] ?? prefixes.first { element.hasPrefix($0.prefix) }?.package
    }

    private static let prefixes: [(prefix: String, package: String)] = [
        ("avenc_", "gstreamer1.0-libav"), ("avdec_", "gstreamer1.0-libav"), ("avmux_", "gstreamer1.0-libav"),
        ("vaapi", "gstreamer1.0-vaapi"),
    ]

    private static let packages: [String: String] = {
        let lists = [
            "gstreamer1.0-plugins-base": """
            appsink appsrc compositor encodebin giosink playbin rawvideoparse tcpserversink theoraenc \
            videoconvert videoscale videotestsrc
            """,
            "gstreamer1.0-plugins-good": """
            autovideosink autovideosrc cacasink cairooverlay deinterlace gdkpixbufdec imagefreeze jpegdec jpegenc \
            matroskamux mp4mux multifilesink multifilesrc multipartmux pngdec pngenc rtpbin rtph264pay rtpjpegpay \
            rtspsrc souphttpsrc splitmuxsink udpsink udpsrc v4l2sink v4l2src videobox videocrop vp8enc vp9enc ximagesrc
            """,
            "gstreamer1.0-plugins-bad": """
            av1enc bayer2rgb camerabin dc1394src dfbvideosink fbdevsink fpsdisplaysink h264parse intervideosink \
            intervideosrc jpegparse kmssink mpegtsmux openh264enc openjpegenc pnmenc proxysink proxysrc rgb2bayer \
            rtmp2sink shmsink shmsrc srtsink uvch264src voaacenc watchdog waylandsink webpenc webrtcbin x265enc
            """,
            "gstreamer1.0-plugins-ugly": "x264enc",
            "gstreamer1.0-gl": "glimagesink",
            "gstreamer1.0-gtk3": "gtkglsink gtksink",
            "gstreamer1.0-libcamera": "libcamerasrc",
            "gstreamer1.0-pipewire": "pipewiresink pipewiresrc",
            "gstreamer1.0-rtsp": "rtspclientsink",
            "gstreamer1.0-x": "clockoverlay textoverlay timeoverlay ximagesink xvimagesink",
            "libgstreamer1.0-0": "capsfilter fakesink fakesrc filesink filesrc identity queue tee valve",
        ]
        var packages: [String: String] = [:]
        for (package, elements) in lists {
            for element in elements.split(whereSeparator: \.isWhitespace) { packages[String(element)] = package }
        }
        return packages
    }()
}
