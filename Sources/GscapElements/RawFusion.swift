public import GStreamer
internal import Synchronization

/// Fuses each burst into one linear photo: an appsink, the module `Fusion`, and an appsrc, in a bin.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 ! rawfusion ! dngenc ! filesink location=photo.dng
public final class RawFusion: BinBehaviour {
    private let settings = Mutex(FusionSettings())
    private let element: ElementHandle
    private let bridge: FusionBridge?

    /// A fusion for an element: the bin's children are made here.
    public init(element: ElementHandle) {
        self.element = element
        do throws(GStreamerError) {
            bridge = try FusionBridge(element)
        } catch {
            bridge = nil
            element.post(error: error)
        }
    }

    /// What gst-inspect shows.
    public static let elementClass = ElementClass(
        factoryName: "rawfusion", typeName: "GscapRawFusion", longName: "RAW multi-frame fusion",
        classification: "Filter/Video",
        summary: "Aligns and merges the frames of a burst into one linear RGB photo with little noise",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: LinearCaps.photos)],
        properties: FusionSettings.properties)

    /// Takes a new value, for the next burst.
    public func setProperty(_ name: String, to value: Value) {
        let settings = settings.withLock { settings in
            settings.set(name, to: value)
            return settings
        }
        bridge?.use(settings)
    }

    /// A property's value.
    public func property(_ name: String) -> Value { settings.withLock { $0.value(of: name) } }

    /// The input must not wait for PLAYING: sinks behind need the photo to get there.
    public func willChangeState(_ transition: StateTransition) throws {
        guard let bridge else { throw GStreamerError(message: "the bin could not be built", place: element.name) }
        switch (transition.from, transition.to) {
        case (.ready, .paused): try bridge.open()
        case (.paused, .ready): bridge.close()
        default: break
        }
    }
}
