internal import FrameStream
public import GStreamer

/// Fuses each burst into one linear photo. The element is a bin of an appsink and an appsrc; between them the module
/// `Fusion` aligns and merges the frames.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 ! rawfusion ! dngenc ! \
///         filesink location=photo.dng
public final class RawFusion: BinBehaviour {
    private let settings = ElementSettings(FusionSettings.properties)
    private let element: ElementHandle
    private let bridge: FusionBridge?

    /// Creates the behaviour of a `rawfusion` element and adds the bin's children.
    public init(element: ElementHandle) {
        self.element = element
        do throws(GscapError) {
            bridge = try FusionBridge(element, settings)
        } catch {
            bridge = nil
            element.post(error: error)
        }
    }

    /// The factory's description, pad templates and properties, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawfusion", typeName: "GscapRawFusion", longName: "RAW multi-frame fusion",
        classification: "Filter/Video",
        summary: "Aligns and merges the frames of a burst into one linear RGB photo with less noise",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: LinearCaps.photos + "; " + BayerCaps.template)],
        properties: FusionSettings.properties.declarations)

    /// Sets a property to a new value. A fusion option applies from the next burst on, the number of frames at once.
    public func setProperty(_ name: String, to value: Value) throws(GscapError) {
        let current = try settings.set(name, to: value)
        if name == "prepared-photos" { try bridge?.keepMemory(photos: current.preparedPhotos) }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GscapError) -> Value { try settings.value(of: name) }

    /// Starts the inner appsink when the bin goes to PAUSED, because the sinks downstream need the photo to preroll;
    /// stops it when the bin goes back to READY.
    public func willChangeState(_ transition: StateTransition) throws {
        guard let bridge else {
            throw GscapError(message: "the elements inside the bin could not be created", place: element.name)
        }
        switch (transition.from, transition.to) {
        case (.ready, .paused): try bridge.open()
        case (.paused, .ready): bridge.close()
        default: break
        }
    }
}
