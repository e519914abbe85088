/// A setting of a capture: one row of the table from which all interfaces have its name, its type and its description.
///
/// The fields of the shutter's requests are `request`; those that `PhotoSettings` has as well, and those that it alone
/// has, are listed in GSCapture.
package struct PhotoSetting: Sendable {
    /// The name in JSON and in structures, as in `exposure-time`. In C and Python it has underscores.
    package let name: String
    /// The type of its values, and which of them are allowed.
    package let kind: Kind
    /// The meaning as a sentence without its full stop.
    package let sentence: String
    /// The unit of its values; empty for none.
    package let unit: String
    /// What a capture without this setting has, such as "the camera's".
    package let standard: String
    /// The name of the property in Swift; empty if there is none.
    package let property: String
    /// The option of the command, such as `--iso`; empty if there is none.
    package let option: String
    /// The word that stands for the value in the command's help, such as `N`; empty for an option without a value.
    package let placeholder: String
    /// The names of the settings without which this one has no meaning.
    package let needs: [String]

    /// The type of values, with the allowed ones.
    package enum Kind: Sendable {
        case truth
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        /// A number above 0.
        case positive
        /// An integer of 64 bits without sign: an id or a time.
        case unsigned
        case text
        case choice([String])
        /// Texts, each of them one of these; any with an empty list. As one text they are separated by commas.
        case texts([String])
        /// Numbers in an order of their own.
        case numbers
        /// An array of objects with some of these fields.
        case objects([PhotoSetting])
        /// An object that has for some of these names an object with some of these fields.
        case table(names: [String], fields: [PhotoSetting])
        /// A structure with a structure of property values for each element.
        case properties
    }

    package init(
        _ name: String, _ kind: Kind, _ sentence: String, unit: String = "", standard: String = "the camera's",
        property: String = "", option: String = "", _ placeholder: String = "", needs: [String] = []
    ) {
        (self.name, self.kind, self.sentence, self.unit, self.standard) = (name, kind, sentence, unit, standard)
        (self.property, self.option, self.placeholder, self.needs) = (property, option, placeholder, needs)
    }
}
