import GStreamer
import GscapElements
import Testing

/// The properties of every element: each is declared once, and the element reads and sets what the declaration says.
@Suite struct PropertyTests {
    /// The indices of the element classes: a metatype is not a test argument.
    static let indices = GscapPlugin.elements.indices

    init() throws { try GscapPlugin.register() }

    /// Creates a behaviour without an element, so that a property is reached without GObject's own checks.
    private func behaviour(_ index: Int) -> (any ElementBehaviour, [ElementProperty]) {
        let type = GscapPlugin.elements[index]
        return (type.init(element: ElementHandle()), type.elementClass.properties)
    }

    @Test(arguments: indices)
    func everyPropertyHasItsDeclaredDefault(index: Int) throws {
        let (behaviour, properties) = behaviour(index)
        let element = try Element(factory: GscapPlugin.elements[index].elementClass.factoryName)
        for property in properties {
            #expect(try behaviour.property(property.name) == property.defaultValue, "\(property.name)")
            #expect(try element.get(property.name) == property.defaultValue, "\(property.name)")
        }
    }

    @Test(arguments: indices)
    func aChangedPropertyReadsBackAndChangesNoOther(index: Int) throws {
        let (behaviour, properties) = behaviour(index)
        for property in properties where property.options.contains(.writable) {
            let changed = try #require(Self.otherValue(of: property))
            try behaviour.setProperty(property.name, to: changed)
            for read in properties {
                let expected = read.name == property.name ? changed : read.defaultValue
                #expect(try behaviour.property(read.name) == expected, "\(read.name) after \(property.name)")
            }
            try behaviour.setProperty(property.name, to: property.defaultValue)
        }
    }

    @Test(arguments: indices)
    func anUnknownNameIsAnError(index: Int) {
        let (behaviour, _) = behaviour(index)
        let read = #expect(throws: GStreamerError.self) { try behaviour.property("no-such-property") }
        let set = #expect(throws: GStreamerError.self) { try behaviour.setProperty("no-such-property", to: 1) }
        #expect(read == GStreamerError(unknownProperty: "no-such-property"))
        #expect(set == read)
    }

    @Test(arguments: indices)
    func aValueOfAnotherTypeIsAnErrorAndChangesNothing(index: Int) throws {
        let (behaviour, properties) = behaviour(index)
        for property in properties {
            #expect(throws: GStreamerError.self, "\(property.name)") {
                try behaviour.setProperty(property.name, to: .fractionRange(Fraction(0, 1), Fraction(1, 1)))
            }
            #expect(try behaviour.property(property.name) == property.defaultValue)
        }
    }

    @Test func aNullStringRestoresTheDefault() throws {
        let (name, scene) = ("gscapsensorsrc", "scene")
        let element = try Element(factory: name)
        try element.set(scene, "picture.png")
        #expect(try element.get(scene) == "picture.png")
        let index = try #require(GscapPlugin.elements.firstIndex { $0.elementClass.factoryName == name })
        let (behaviour, _) = behaviour(index)
        try behaviour.setProperty(scene, to: "picture.png")
        try behaviour.setProperty(scene, to: .null)
        #expect(try behaviour.property(scene) == "chart")
    }

    /// Returns a value of a property other than its default; nil for the types that no element here has.
    private static func otherValue(of property: ElementProperty) -> Value? {
        switch property.kind {
        case .boolean(let standard): .boolean(!standard)
        case .int32(let range, let standard):
            .int(range.upperBound == standard ? range.lowerBound : range.upperBound)
        case .uint32(let range, let standard):
            .uint(range.upperBound == standard ? range.lowerBound : range.upperBound)
        case .uint64(let range, let standard):
            .uint64(range.upperBound == standard ? range.lowerBound : range.upperBound)
        case .double(let range, let standard):
            .double(range.upperBound == standard ? range.lowerBound : range.upperBound)
        case .string: .string(property.name == "neutral" ? "0.5 1 0.7" : "something")
        case .enumeration(let type, let standard):
            type.cases.last { $0.value != standard }.map { .enumeration($0.value, nick: $0.nick) }
        case .int64(let range, let standard):
            .int64(range.upperBound == standard ? range.lowerBound : range.upperBound)
        case .fraction, .structure: nil
        }
    }
}
