/// A rule about settings that a capture breaks: the cause of an error whose message names settings.
package struct SettingProblem: Error, Sendable {
    /// The setting that is to be changed.
    package let setting: PhotoSetting
    /// What is wrong, and what is allowed.
    package let text: SettingText

    /// Creates a problem with a setting.
    package init(_ setting: PhotoSetting, _ text: SettingText) {
        (self.setting, self.text) = (setting, text)
    }
}

/// A message that names settings, each interface by its own names for them.
package struct SettingText: Sendable, ExpressibleByStringInterpolation {
    private let parts: [Part]

    fileprivate enum Part: Sendable {
        case text(String)
        case setting(PhotoSetting)
    }

    package init(stringLiteral value: String) { parts = [.text(value)] }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Returns the message with a name for each setting.
    package func text(_ name: (PhotoSetting) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .setting(let setting): name(setting)
            }
        }
        .joined()
    }

    /// The parts of a message in the source.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        package mutating func appendInterpolation(_ setting: PhotoSetting) { parts.append(.setting(setting)) }

        package mutating func appendInterpolation<Value>(_ value: Value) { parts.append(.text("\(value)")) }
    }
}
