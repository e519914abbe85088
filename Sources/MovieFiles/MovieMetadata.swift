/// The metadata of a movie about its origin.
enum MovieMetadata {
    /// Returns the box that states the name and version of the program, where players look for it in such files, and in
    /// QuickTime files the date of the movie.
    static func origin(_ software: String, _ date: MovieDate, in container: MovieContainer) -> [UInt8] {
        switch container {
        case .mov: KeyedMetadata.box(KeyedMetadata.origin(software, date), in: container)
        case .mp4: Box.plain("udta", encodingTool(software))
        }
    }

    /// Returns the box with the encoding tool as an item of the kind that iTunes writes.
    private static func encodingTool(_ text: String) -> [UInt8] {
        let handler = Box.full("hdlr", Box.words(0), Array("mdirappl".utf8), Box.words(0, 0), [0])
        // UTF-8 (type 1) in any language. The name of the item is ©too in Mac OS Roman.
        let data = Box.plain("data", Box.words(1, 0), Array(text.utf8))
        let item = Box.words(UInt32(8 + data.count), 0xA974_6F6F) + data
        return Box.full("meta", handler, Box.plain("ilst", item))
    }
}

/// The metadata of a movie as keys of the namespace `mdta` with texts (QuickTime File Format, "Metadata").
enum KeyedMetadata {
    /// The key of the name and version of the program that made the movie.
    static let software = "com.apple.quicktime.software"
    /// The key of the date, which Apple's software shows and sorts by: unlike that in the header it has a time zone.
    static let creationDate = "com.apple.quicktime.creationdate"

    /// Returns the keys and texts of the program and the date.
    static func origin(_ software: String, _ date: MovieDate) -> [(key: String, value: String)] {
        let program = (key: Self.software, value: software)
        return if let text = date.text { [program, (key: creationDate, value: text)] } else { [program] }
    }

    /// Returns the box with the handler, the keys and the values.
    static func box(_ texts: [(key: String, value: String)], in container: MovieContainer) -> [UInt8] {
        let handler = Box.full("hdlr", Box.words(0), Array("mdta".utf8), Box.words(0, 0, 0), [0])
        let keys = texts.flatMap { Box.plain("mdta", Array($0.key.utf8)) }
        let values = zip(UInt32(1)..., texts).flatMap { number, text in
            // The type of an item is the number of its key; the value is UTF-8 (type 1) in any language.
            let data = Box.plain("data", Box.words(1, 0), Array(text.value.utf8))
            return Box.words(UInt32(8 + data.count), number) + data
        }
        let boxes = [handler, Box.full("keys", Box.words(UInt32(texts.count)), keys), Box.plain("ilst", values)]
        // ISO files have a version and flags here, QuickTime has none.
        return container == .mov ? Box.plain("meta", boxes) : Box.plain("meta", [Box.words(0)] + boxes)
    }
}
