internal import CGStreamer

/// The level of a line in GStreamer's debug log, the highest priority first.
package enum DebugLevel: Sendable, CaseIterable {
    /// The pipeline cannot continue.
    case error
    /// Something went wrong, and the pipeline continues.
    case warning
    /// What happens once: changes of state and of the format.
    case info
    /// Decisions, with the numbers that they depend on.
    case debug
    /// What happens with every buffer.
    case log

    fileprivate var level: GstDebugLevel {
        switch self {
        case .error: GST_LEVEL_ERROR
        case .warning: GST_LEVEL_WARNING
        case .info: GST_LEVEL_INFO
        case .debug: GST_LEVEL_DEBUG
        case .log: GST_LEVEL_LOG
        }
    }
}

/// A category of GStreamer's debug log, which users choose by its name: `GST_DEBUG=rawshutter:5`.
@safe package struct DebugCategory: Sendable {
    // Sendable: GStreamer never frees a category, and its threshold is atomic.
    private nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstDebugCategory>?

    /// Returns the category of that name, which is created if there is none yet.
    package init(_ name: String, _ summary: String) {
        unsafe pointer = _gst_debug_category_new(name, 0, summary)
    }

    /// What concerns no element alone, such as the registration of the plugin.
    static let gscap = DebugCategory("gscap", "RAW still photography")

    /// Whether the user wants to see lines of this level.
    package func shows(_ level: DebugLevel) -> Bool {
        guard let pointer = unsafe pointer else { return false }
        return unsafe gst_debug_category_get_threshold(pointer).rawValue >= level.level.rawValue
    }

    /// Logs a line without an element. The message is computed only if it is shown.
    package func log(
        _ level: DebugLevel, _ message: @autoclosure () -> String, file: StaticString = #fileID,
        function: StaticString = #function, line: Int = #line
    ) {
        if shows(level) { unsafe write(level, message(), nil, file, function, line) }
    }

    /// Writes a line about an object, which may be nil.
    func write(
        _ level: DebugLevel, _ message: String, _ object: UnsafeMutablePointer<GObject>?, _ file: StaticString,
        _ function: StaticString, _ line: Int
    ) {
        unsafe gst_debug_log_literal(
            pointer, level.level, Self.text(file), Self.text(function), Int32(clamping: line), object, message)
    }

    /// The C string of a literal, which ends with a zero.
    private static func text(_ literal: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
