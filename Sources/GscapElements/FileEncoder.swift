internal import GStreamer

/// An element that encodes each frame as a file, through a queue and on a thread separate from the streaming thread.
protocol FileEncoder: TransformBehaviour {
    /// The media type of the encoded files.
    static var mediaType: String { get }
    /// The queue that encodes the frames.
    var encodeQueue: EncodeQueue { get }
}

extension FileEncoder {
    /// Returns the caps of the files, with the input's size, frame rate and pixel aspect ratio.
    func outputCaps(for input: Caps) -> Caps {
        if input.isAny { return Caps(Self.mediaType, [:]) }
        return Caps(
            input.structures.map { structure in
                var file = Structure(Self.mediaType)
                for field in ["width", "height", "framerate", "pixel-aspect-ratio"] { file[field] = structure[field] }
                return file
            })
    }

    /// Accepts any input caps of the pad template: every input size can be encoded.
    func inputCaps(for output: Caps) -> Caps { .any }

    func start() throws { encodeQueue.start() }

    /// Cancels queued and running encodings when the state changes from PAUSED to READY.
    func willChangeState(_ transition: StateTransition) throws { encodeQueue.follow(transition) }

    /// Waits until the encoder thread is idle.
    func stop() { encodeQueue.stop() }

    /// Serializes downstream events with the files: an event is forwarded after the files of all earlier frames.
    func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        try encodeQueue.serialize(with: event, output: output)
    }

    /// Clears a not-linked error when a reconfigure event shows that the source pad was linked again.
    func handle(upstream event: Event) -> EventDecision {
        encodeQueue.handle(upstream: event)
        return .forward
    }
}
