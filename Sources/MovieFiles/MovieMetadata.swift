/// The metadata of a movie about the program that made it.
enum MovieMetadata {
    /// Returns the box that states the name and version of the program, where players look for it in such files.
    static func software(_ text: String, in container: MovieContainer) -> [UInt8] {
        switch container {
        case .mov: KeyedMetadata.box([KeyedMetadata.software: text], in: container)
        case .mp4: Box.plain("udta", encodingTool(text))
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

    /// Returns the box with the handler, the keys and the values.
    static func box(_ texts: KeyValuePairs<String, String>, in container: MovieContainer) -> [UInt8] {
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
