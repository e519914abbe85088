/// The top-level properties of an XMP packet as other software encoded them, without the fields of structures.
package struct XMPProperties {
    /// A property: the name with its prefix, the URI of its namespace, and its XML element.
    package struct Property {
        package let name: String
        package let namespace: String
        package let element: String

        /// The name without its prefix.
        package var localName: Substring { name.drop { $0 != ":" }.dropFirst() }

        /// The namespace and the local name, by which properties are the same whatever their prefixes.
        fileprivate var key: [Substring] { [namespace[...], localName] }
    }

    /// The properties in the order of the packet, each once. Those that are not well-formed are left out.
    package private(set) var all: [Property] = []
    /// The keys of the properties that were read.
    private var keys: Set<[Substring]> = []
    /// The namespaces of all prefixes in the packet, also of those that only values use.
    private var namespaces: [String: String] = [:]

    /// Reads the properties of a packet; nil if its tags do not match, or if a prefix has two namespaces or one that
    /// cannot be declared again.
    package init?(_ packet: XMPReader) {
        guard let tags = packet.tags else { return nil }
        let starts = tags.filter { !$0.isEnd }
        for (name, uri) in starts.flatMap(packet.attributes) where name.hasPrefix("xmlns:") {
            let prefix = String(name.dropFirst("xmlns:".count))
            let known = namespaces.updateValue(uri, forKey: prefix)
            if uri.isEmpty || (uri + prefix).contains(where: { "\"<&>'".contains($0) }) || known ?? uri != uri {
                return nil
            }
        }
        // The packet may be in an element xmpmeta.
        guard let top = starts.first(where: { $0.name == "rdf:RDF" })?.depth else { return nil }
        var (isInDescription, first) = (false, 0)
        for (index, tag) in tags.enumerated() {
            if tag.depth == top + 1 {
                isInDescription = tag.name == "rdf:Description" && !tag.isEnd && !tag.isEmpty
                if tag.name == "rdf:Description", !tag.isEnd { addAttributes(of: tag, packet) }
            } else if tag.depth == top + 2, isInDescription {
                if !tag.isEnd { first = index }
                if tag.isEnd || tag.isEmpty { addElement(tags[first...index], packet) }
            }
        }
    }

    private mutating func addAttributes(of tag: XMPReader.Tag, _ packet: XMPReader) {
        for (name, value) in packet.attributes(of: tag) where XMPReader.isWellFormed(value) {
            // "]]>" may be in an attribute, but not in an element.
            add(name, "<\(name)>\(value.replacing(">", with: "&gt;"))</\(name)>")
        }
    }

    /// Adds the property whose element begins with the first of these tags and ends with the last.
    private mutating func addElement(_ tags: ArraySlice<XMPReader.Tag>, _ packet: XMPReader) {
        guard let first = tags.first, let last = tags.last else { return }
        let starts = tags.filter { !$0.isEnd }
        let attributes = starts.flatMap(packet.attributes)
        let names = starts.map(\.name) + attributes.map(\.name)
        let element = packet.text(first.range.lowerBound..<last.range.upperBound)
        guard names.allSatisfy(isBound), attributes.allSatisfy({ XMPReader.isWellFormed($0.value) }),
            starts.allSatisfy({ Set(packet.attributes(of: $0).map(\.name)).count == packet.attributes(of: $0).count }),
            XMPReader.isWellFormed(element)
        else { return }
        add(first.name, element)
    }

    /// Whether the prefix of a name has a namespace.
    private func isBound(_ name: String) -> Bool {
        let prefix = String(name.prefix { $0 != ":" })
        return prefix != name && (["xml", "xmlns", "rdf"].contains(prefix) || namespaces[prefix] != nil)
    }

    private mutating func add(_ name: String, _ element: String) {
        let prefix = String(name.prefix { $0 != ":" })
        guard prefix != name, prefix != "rdf", let namespace = namespaces[prefix] else { return }
        let property = Property(name: name, namespace: namespace, element: "   " + element)
        if keys.insert(property.key).inserted { all.append(property) }
    }

    /// Removes the properties for which `isUnwanted` returns true.
    package mutating func remove(where isUnwanted: (Property) -> Bool) { all.removeAll(where: isUnwanted) }

    /// Returns a packet with those of these properties that it lacks. Returns the packet as it is if a prefix has
    /// another namespace there, or if its tags do not match.
    package func adding(to packet: String) -> String {
        guard let own = XMPProperties(XMPReader(packet)),
            namespaces.allSatisfy({ own.namespaces[$0.key, default: $0.value] == $0.value })
        else { return packet }
        let known = Set(own.all.map(\.key))
        let fuller = all.filter { property in Self.lists.contains(property.name) && isFuller(property, packet) }
        let new = all.filter { !known.contains($0.key) } + fuller
        if new.isEmpty { return packet }
        // The root elements of the packet declare x and rdf.
        let prefixes = namespaces.keys.filter { !["x", "rdf"].contains($0) }.sorted()
        let declared = prefixes.map { (prefix: $0, uri: namespaces[$0] ?? "") }
        let rest = XMPReader.removing(fuller.map(\.name), from: packet)
        return XMPReader.adding(new.map(\.element), namespaces: declared, to: rest) ?? packet
    }

    /// The properties that a photo's packet derives from TIFF tags, which hold one text.
    private static let lists = ["dc:creator", "dc:description", "dc:rights"]

    /// Whether a property has the same text as in a packet, or that text among others.
    private func isFuller(_ property: Property, _ packet: String) -> Bool {
        let own = XMPReader(packet).list(property.name, most: 1)
        let items = XMPReader(property.element).list(property.name, most: 4096)
        return own.count == 1 && (items.contains(own[0]) || items.joined(separator: "; ") == own[0])
    }
}
