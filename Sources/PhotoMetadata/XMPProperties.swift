/// The properties that a packet states about its subject, as other software encoded them: its own, not the fields of
/// their values.
package struct XMPProperties {
    /// A property: the name with its prefix, the URI of its namespace, and its XML element.
    package struct Property: Hashable {
        package let name: String
        package let namespace: String
        package let element: String

        /// The name without its prefix.
        package var localName: Substring { name.drop { $0 != ":" }.dropFirst() }
    }

    /// The properties in the order of the packet, without those whose prefix has no namespace.
    package private(set) var all: [Property] = []
    /// The namespaces of all prefixes in the packet, also of those that only values use.
    private var namespaces: [String: String] = [:]

    /// Reads the properties of a packet; nil if its tags do not match, or if a prefix has two namespaces.
    package init?(_ packet: XMPReader) {
        guard let tags = packet.tags else { return nil }
        for (name, uri) in tags.filter({ !$0.isEnd }).flatMap(packet.attributes) where name.hasPrefix("xmlns:") {
            let known = namespaces.updateValue(uri, forKey: String(name.dropFirst("xmlns:".count)))
            if let known, known != uri { return nil }
        }
        var start = 0
        for tag in tags {
            // The packet may be in an element xmpmeta.
            let path = tag.path.drop { $0 != "rdf:RDF" }
            guard path.dropFirst().first == "rdf:Description" else { continue }
            if path.count == 2, !tag.isEnd {
                for (name, value) in packet.attributes(of: tag) { add(name, "<\(name)>\(value)</\(name)>") }
            } else if path.count == 3 {
                if !tag.isEnd { start = tag.range.lowerBound }
                let isComplete = tag.isEnd || tag.isEmpty
                if isComplete { add(tag.path.last ?? "", packet.text(start..<tag.range.upperBound)) }
            }
        }
    }

    private mutating func add(_ name: String, _ element: String) {
        let prefix = String(name.prefix { $0 != ":" })
        guard prefix != name, prefix != "rdf", let namespace = namespaces[prefix] else { return }
        all.append(Property(name: name, namespace: namespace, element: "   " + element))
    }

    /// Removes the properties for which `isUnwanted` returns true.
    package mutating func remove(where isUnwanted: (Property) -> Bool) { all.removeAll(where: isUnwanted) }

    /// Returns a packet with those of these properties that it lacks. Returns the packet as it is if a prefix has
    /// another namespace there, or if its tags do not match.
    package func adding(to packet: String) -> String {
        guard let own = XMPProperties(XMPReader(packet)),
            namespaces.allSatisfy({ own.namespaces[$0.key, default: $0.value] == $0.value })
        else { return packet }
        let known = Set(own.all.map(\.name))
        let new = all.filter { !known.contains($0.name) }
        // Those of the packet's frame are known.
        let prefixes = namespaces.keys.filter { !["x", "rdf"].contains($0) }.sorted()
        let declared = prefixes.map { (prefix: $0, uri: namespaces[$0] ?? "") }
        return new.isEmpty ? packet : XMPReader.adding(new.map(\.element), namespaces: declared, to: packet) ?? packet
    }
}
