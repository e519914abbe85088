internal import Synchronization

/// The properties of an element class, each declared once. The table lists the declarations for GObject, and reads and
/// sets the properties by name in a settings struct.
public struct PropertyTable<Settings: Sendable>: Sendable {
    /// The settings of a new element.
    public let defaults: Settings
    /// The declarations for GObject, in the order of the table.
    public let declarations: [ElementProperty]
    private let properties: [SettingsProperty<Settings>]

    /// Creates a table of properties; the default of each property is its value in `defaults`.
    public init(defaults: Settings, _ properties: [SettingsProperty<Settings>]) {
        self.defaults = defaults
        self.properties = properties
        declarations = properties.map { $0.declaration(defaults: defaults) }
    }

    /// Returns the current value of a property; throws for an unknown name.
    public func value(of name: String, in settings: Settings) throws(GscapError) -> Value {
        try properties[index(of: name)].value(in: settings)
    }

    /// Sets a property in `settings`; a null value sets the default. Throws for an unknown name or a value of another
    /// type.
    public func set(_ name: String, to value: Value, in settings: inout Settings) throws(GscapError) {
        let index = try index(of: name)
        let value = value == .null ? declarations[index].defaultValue : value
        try properties[index].set(to: value, in: &settings)
    }

    /// Sets a property in the settings of one frame to the value in `text`. Throws for an unknown name, for a property
    /// that cannot be changed in the state PLAYING, and for text that is no value of the property.
    public func set(_ name: String, text: String, in settings: inout Settings) throws(GscapError) {
        guard let index = declarations.firstIndex(where: { $0.name == name }) else {
            let names = declarations.filter(\.isFrameProperty).map(\.name).joined(separator: ", ")
            throw GscapError(
                message: "the element has no property \"\(name)\": "
                    + (names.isEmpty ? "none of its properties can be set for one capture" : "use one of \(names)"))
        }
        guard declarations[index].isFrameProperty else {
            throw GscapError(
                message: "the property \"\(name)\" cannot be \"\(text)\" for one capture, because it is fixed while "
                    + "the pipeline runs: set it on the element before the pipeline starts")
        }
        try properties[index].set(to: try declarations[index].value(from: text), in: &settings)
    }

    private func index(of name: String) throws(GscapError) -> Int {
        guard let index = declarations.firstIndex(where: { $0.name == name }) else {
            throw GscapError(unknownProperty: name)
        }
        return index
    }
}

/// The settings of one element instance behind a lock. *Thread-safe.*
///
/// A streaming thread reads `current` once per frame, so that all steps of the frame use the same settings.
public final class ElementSettings<Settings: Sendable>: Sendable {
    private let table: PropertyTable<Settings>
    private let values: Mutex<Settings>

    /// Creates settings with the default values of a property table.
    public init(_ table: PropertyTable<Settings>) {
        self.table = table
        values = Mutex(table.defaults)
    }

    /// A copy of the settings at this moment.
    public var current: Settings { values.withLock { $0 } }

    /// Returns the settings for one frame: a copy of the current ones, with the property values in `overrides`, which
    /// are text by the property's name. Throws for a property or value that one frame cannot have; the error contains
    /// `element`, the name of the element.
    public func current(
        for overrides: [String: String], of element: String
    ) throws(GscapError) -> Settings {
        var settings = current
        for (name, text) in overrides.sorted(by: { $0.key < $1.key }) {
            do throws(GscapError) {
                try table.set(name, text: text, in: &settings)
            } catch {
                throw GscapError(message: error.message, place: element)
            }
        }
        return settings
    }

    /// Sets a property and returns the settings with the new value; throws for an unknown name or a value of another
    /// type.
    @discardableResult
    public func set(_ name: String, to value: Value) throws(GscapError) -> Settings {
        try values.withLock { settings throws(GscapError) in
            try table.set(name, to: value, in: &settings)
            return settings
        }
    }

    /// Returns the current value of a property; throws for an unknown name.
    public func value(of name: String) throws(GscapError) -> Value {
        try table.value(of: name, in: current)
    }

    /// Changes the settings and returns the changed ones. The closure is called with the lock held.
    public func update(_ change: (inout Settings) -> Void) -> Settings {
        values.withLock { settings in
            change(&settings)
            return settings
        }
    }
}

extension ElementProperty {
    /// Whether the value may differ from frame to frame: the property can be set while frames are processed.
    fileprivate var isFrameProperty: Bool { options.isSuperset(of: [.writable, .mutablePlaying]) }
}
