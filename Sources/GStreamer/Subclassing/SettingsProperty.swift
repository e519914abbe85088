/// A property of an element whose value is stored in a settings struct: the declaration for GObject, and the conversion
/// between property values and stored values.
///
/// The default value of the property is the stored value in the struct's defaults.
public struct SettingsProperty<Settings: Sendable>: Sendable {
    /// A key path to the stored value of a property.
    public typealias Path<Stored> = any WritableKeyPath<Settings, Stored> & Sendable

    private let name: String
    private let blurb: String
    private let options: ElementProperty.Options
    private let kind: @Sendable (Settings) -> ElementProperty.Kind
    private let read: @Sendable (Settings) -> Value?
    private let write: @Sendable (Value, inout Settings) -> Bool

    /// Creates a property from three functions: `kind` returns the declared kind with a stored value as the default,
    /// `value` converts a stored value to a property value (nil if there is none), and `stored` converts a property
    /// value to a stored one (nil for a value of another type).
    private init<Stored: Sendable>(
        _ name: String, _ path: Path<Stored>, _ blurb: String,
        _ options: ElementProperty.Options, kind: @escaping @Sendable (Stored) -> ElementProperty.Kind,
        value: @escaping @Sendable (Stored) -> Value?, stored: @escaping @Sendable (Value) -> Stored?
    ) {
        self.name = name
        self.blurb = blurb
        self.options = options
        self.kind = { kind($0[keyPath: path]) }
        read = { value($0[keyPath: path]) }
        write = { new, settings in
            guard let new = stored(new) else { return false }
            settings[keyPath: path] = new
            return true
        }
    }

    /// Returns the declaration for GObject, whose default is the value in `defaults`.
    func declaration(defaults: Settings) -> ElementProperty {
        ElementProperty(name, kind(defaults), blurb: blurb, options: options)
    }

    /// Returns the property's value in `settings`; throws if the stored value is none of the property's choices.
    func value(in settings: Settings) throws(GscapError) -> Value {
        guard let value = read(settings) else {
            throw GscapError(message: "the property \"\(name)\" has a stored value that is none of its choices")
        }
        return value
    }

    /// Stores a property value in `settings`; throws if the value is not of the property's type.
    func set(to value: Value, in settings: inout Settings) throws(GscapError) {
        guard write(value, &settings) else {
            throw GscapError(message: "the property \"\(name)\" cannot be set to \(value)")
        }
    }
}

// MARK: - Types of properties

extension SettingsProperty {
    /// Declares a property of type `gboolean`, stored as a `Bool`.
    public static func boolean(
        _ name: String, _ path: Path<Bool>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .boolean(default: $0) }, value: { .boolean($0) }, stored: { $0.truth })
    }

    /// Declares a property of type `gint`, stored as an `Int`.
    public static func int32(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int32>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .int32(range, default: Int32(clamping: $0)) },
            value: { .int(Int32(clamping: $0)) }, stored: { $0.integer })
    }

    /// Declares a property of type `guint`, stored as an `Int`.
    public static func uint32(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<UInt32>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .uint32(range, default: UInt32(clamping: $0)) },
            value: { .uint(UInt32(clamping: $0)) }, stored: { $0.integer })
    }

    /// Declares a property of type `gint64`, stored as an `Int`.
    public static func int64(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int64>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .int64(range, default: Int64($0)) }, value: { .int64(Int64($0)) },
            stored: { $0.integer })
    }

    /// Declares a property of type `guint64`, stored as a `UInt64`.
    public static func uint64(
        _ name: String, _ path: Path<UInt64>, _ range: ClosedRange<UInt64>,
        blurb: String, options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .uint64(range, default: $0) }, value: { .uint64($0) },
            stored: { $0.unsigned })
    }

    /// Declares a property of type `gdouble`, stored as a `Double`.
    public static func double(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>,
        blurb: String, options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .double(range, default: $0) }, value: { .double($0) },
            stored: { $0.number })
    }

    /// Declares a string property. Setting it to a null string restores the default.
    public static func string(
        _ name: String, _ path: Path<String>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(name, path, blurb, options, kind: { .string(default: $0) }, value: { .string($0) }, stored: { $0.text })
    }

    /// Declares a string property whose default is null, stored as nil.
    public static func string(
        _ name: String, _ path: Path<String?>, blurb: String,
        options: ElementProperty.Options = .readWrite
    ) -> Self {
        Self(
            name, path, blurb, options, kind: { .string(default: $0) }, value: { $0.map(Value.string) ?? .null },
            stored: { $0 == .null ? .some(nil) : $0.text.map(Optional.some) })
    }

    /// Declares an enumeration property. The number of a choice is its index in `choices`; `type` is the name of the
    /// GObject type, unique in the process.
    public static func enumeration<Stored: Equatable & Sendable>(
        _ name: String, _ path: Path<Stored>, type: String,
        _ choices: [PropertyChoice<Stored>], blurb: String, options: ElementProperty.Options = .readWrite
    ) -> Self {
        let type = EnumerationType(
            type, choices.enumerated().map { .init(Int32($0.offset), nick: $0.element.nick, name: $0.element.name) })
        @Sendable func index(of stored: Stored) -> Int? { choices.firstIndex { $0.stored == stored } }
        return Self(
            name, path, blurb, options, kind: { .enumeration(type, default: Int32(index(of: $0) ?? 0)) },
            value: { index(of: $0).map { .enumeration(Int32($0), nick: choices[$0].nick) } },
            stored: { value in
                value.integer.flatMap { choices.indices.contains($0) ? choices[$0].stored : nil }
            })
    }
}

/// A value of an enumeration property, with the names that GStreamer shows.
public struct PropertyChoice<Stored: Sendable>: Sendable {
    /// The value in the settings struct.
    public var stored: Stored
    /// The nick, as used in pipeline text.
    public var nick: String
    /// The description of the value for people.
    public var name: String

    /// Creates a value of an enumeration property.
    public init(_ stored: Stored, nick: String, name: String) {
        self.stored = stored
        self.nick = nick
        self.name = name
    }
}
