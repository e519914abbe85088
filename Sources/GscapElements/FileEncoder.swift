internal import GStreamer

/// An encoder of pictures that works in a lane beside the stream.
protocol FileEncoder: TransformBehaviour {
    /// The media type of its files.
    static var mediaType: String { get }
    /// Where it works.
    var lane: FrameLane { get }
}

extension FileEncoder {
    /// A file of the size and rate of what goes in.
    func outputCaps(for input: Caps) -> Caps {
        if input.isAny { return Caps(Self.mediaType, [:]) }
        return Caps(
            input.structures.map { structure in
                var file = Structure(Self.mediaType)
                for field in ["width", "height", "framerate"] { file[field] = structure[field] }
                return file
            })
    }

    /// Any picture that the element takes, of the file's size.
    func inputCaps(for output: Caps) -> Caps { .any }

    func start() throws { lane.start() }

    /// Gives up what waits and what is under work when the stream stops.
    func willChangeState(_ transition: StateTransition) throws { lane.follow(transition) }

    /// Waits until nothing is under work any more.
    func stop() { lane.drain() }

    /// Files keep their place between the events of the stream.
    func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        try lane.keepOrder(with: event)
    }

    /// Goes on when somebody is linked behind again.
    func handle(upstream event: Event) -> EventDecision {
        lane.hear(upstream: event)
        return .forward
    }
}
