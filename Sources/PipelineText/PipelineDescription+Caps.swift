extension PipelineDescription {
    /// Caps in structured form, parsed from text without GStreamer so that they can be checked, edited and printed.
    public struct Caps: Hashable, Sendable, CustomStringConvertible {
        /// The alternative structures in order of preference.
        public var structures: [Structure]
        /// The location of the caps in the pipeline text; nil if they were not parsed.
        @NotCompared public var location: TextLocation?

        /// One alternative of caps: a media type and its fields, such as `video/x-raw,width=640`.
        public struct Structure: Hashable, Sendable {
            /// The media type, such as `video/x-bayer`.
            public var mediaType: String
            /// The caps features of the structure, such as `memory:GLMemory`.
            public var features: [String]
            /// The fields of the structure in the order of the text.
            public var fields: [Field]

            /// Creates a structure from its media type, features and fields.
            public init(_ mediaType: String, features: [String] = [], fields: [Field] = []) {
                self.mediaType = mediaType
                self.features = features
                self.fields = fields
            }

            /// The value of a field as text; nil if there is none. Setting nil removes the field.
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

            /// Returns the value of a field as an integer; nil for ranges, lists and other types.
            public func number(_ field: String) -> Int? { self[field].flatMap { Int($0) } }
        }

        /// A field of a caps structure, such as `width=(int)4032`.
        public struct Field: Hashable, Sendable {
            /// The field's name.
            public var name: String
            /// The type of the value, written in parentheses before it, such as `int`; nil if there is none.
            public var type: String?
            /// The value as text: a number, a word, a quoted string, a `{list}`, an `[a,b]` range or an `<array>`.
            public var value: String

            /// Creates a field from its name, value and type.
            public init(_ name: String, _ value: String, type: String? = nil) {
                self.name = name
                self.type = type
                self.value = value
            }
        }

        /// Creates caps from alternative structures in order of preference.
        public init(_ structures: [Structure]) {
            self.structures = structures
        }

        /// Parses caps from text, which must contain nothing else; throws if they are malformed.
        public init(_ text: String) throws(GscapError) {
            let source = SourceText(text)
            var reader = CapsReader(try ExpandedText(source) { _ in nil }, from: 0)
            self = try reader.read(inLink: false)
        }

        /// The caps as text without spaces, as GStreamer parses them.
        public var description: String {
            structures.map { structure in
                let features = structure.features.isEmpty ? "" : "(\(structure.features.joined(separator: ",")))"
                return structure.mediaType + features
                    + structure.fields.map { ",\($0.name)=" + ($0.type.map { "(\($0))" } ?? "") + $0.value }.joined()
            }.joined(separator: ";")
        }
    }
}
