extension PipelineDescription {
    /// Caps as text with structure: enough to check, edit and print them without GStreamer.
    public struct Caps: Hashable, Sendable, CustomStringConvertible {
        /// The alternatives, best first.
        public var structures: [Structure]
        /// Where they were written.
        @NotCompared public var place: SourcePlace?

        /// One alternative: a media type and its fields.
        public struct Structure: Hashable, Sendable {
            /// Such as `video/x-bayer`.
            public var mediaType: String
            /// Such as `memory:GLMemory`.
            public var features: [String]
            /// The fields in order.
            public var fields: [Field]

            /// Makes an alternative.
            public init(_ mediaType: String, features: [String] = [], fields: [Field] = []) {
                self.mediaType = mediaType
                self.features = features
                self.fields = fields
            }

            /// The text of a field's value; setting nil takes the field away.
            public subscript(field: String) -> String? {
                get { fields.first { $0.name == field }?.value }
                set {
                    let index = fields.firstIndex { $0.name == field }
                    switch (index, newValue) {
                    case (let index?, let value?): fields[index].value = value
                    case (let index?, nil): fields.remove(at: index)
                    case (nil, let value?): fields.append(Field(field, value))
                    case (nil, nil): break
                    }
                }
            }

            /// The value of a field that is one number.
            public func number(_ field: String) -> Int? { self[field].flatMap { Int($0) } }
        }

        /// A field, such as `width=(int)4032`.
        public struct Field: Hashable, Sendable {
            /// The field's name.
            public var name: String
            /// The type in parentheses, if one is written.
            public var type: String?
            /// The value as text: a number, a word, a quoted string, a `{list}`, an `[a,b]` range or an `<array>`.
            public var value: String

            /// Makes a field.
            public init(_ name: String, _ value: String, type: String? = nil) {
                self.name = name
                self.type = type
                self.value = value
            }
        }

        /// Makes caps of some alternatives.
        public init(_ structures: [Structure]) {
            self.structures = structures
        }

        /// Reads caps.
        public init(_ text: String) throws(PipelineTextError) {
            let source = SourceText(text)
            var reader = CapsReader(try ExpandedText(source) { _ in nil }, from: 0)
            self = try reader.read(inLink: false)
        }

        /// The caps without a space, as GStreamer reads them.
        public var description: String {
            structures.map { structure in
                let features = structure.features.isEmpty ? "" : "(\(structure.features.joined(separator: ",")))"
                return structure.mediaType + features
                    + structure.fields.map { ",\($0.name)=" + ($0.type.map { "(\($0))" } ?? "") + $0.value }.joined()
            }.joined(separator: ";")
        }
    }
}
