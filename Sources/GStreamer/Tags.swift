internal import CGStreamer
internal import CGStreamerShims

/// What a stream or an application says of its pictures: those of the tags in a GstTagList that picture files can hold.
public struct Tags: Sendable, Hashable {
    /// The title (GST_TAG_TITLE).
    public var title: String?
    /// The photographer (GST_TAG_ARTIST).
    public var artist: String?
    /// The copyright notice (GST_TAG_COPYRIGHT).
    public var copyright: String?
    /// The latitude in degrees, positive in the north (GST_TAG_GEO_LOCATION_LATITUDE).
    public var latitude: Double?
    /// The longitude in degrees, positive in the east (GST_TAG_GEO_LOCATION_LONGITUDE).
    public var longitude: Double?
    /// The height above sea level in metres (GST_TAG_GEO_LOCATION_ELEVATION).
    public var elevation: Double?

    /// Creates tags without values.
    public init() {}

    /// Reads a C list (transfer none).
    fileprivate init(reading list: UnsafeMutablePointer<GstTagList>) {
        func text(_ tag: String) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard unsafe gst_tag_list_get_string(list, tag, &text) != 0 else { return nil }
            return unsafe String(takingFull: text)
        }
        func number(_ tag: String) -> Double? {
            var number = 0.0
            return unsafe gst_tag_list_get_double(list, tag, &number) != 0 ? number : nil
        }
        (title, artist, copyright) = (text(GST_TAG_TITLE), text(GST_TAG_ARTIST), text(GST_TAG_COPYRIGHT))
        latitude = number(GST_TAG_GEO_LOCATION_LATITUDE)
        longitude = number(GST_TAG_GEO_LOCATION_LONGITUDE)
        elevation = number(GST_TAG_GEO_LOCATION_ELEVATION)
    }
}

extension ElementHandle {
    /// The tags of the stream that the element takes, with those that an application has set on the element or on a bin
    /// around it, whose values come first unless the merge mode of their GstTagSetter says otherwise.
    public var tags: Tags {
        guard let element, var list = unsafe gst_tag_list_new_empty() else { return Tags() }
        defer { unsafe releaseMiniObject(list) }
        if let input = element.pad("sink") { unsafe input.insertTags(into: list) }
        let bins = sequence(first: element as Element?) { $0?.parentBin }.prefix { $0 != nil }.compactMap { $0 }
        for holder in bins.reversed() where holder.takesTags {
            let setter = unsafe OpaquePointer(holder.pointer)
            guard let own = unsafe gst_tag_setter_get_tag_list(setter),
                let merged = unsafe gst_tag_list_merge(own, list, gst_tag_setter_get_tag_merge_mode(setter))
            else { continue }
            unsafe releaseMiniObject(list)
            unsafe list = merged
        }
        return unsafe Tags(reading: list)
    }
}

extension Element {
    fileprivate var takesTags: Bool { unsafe gscap_instance_is_a(pointer, gst_tag_setter_get_type()) != 0 }
}

extension Pad {
    /// Inserts the tags of the stream, which the pad keeps in its tag events.
    fileprivate func insertTags(into list: UnsafeMutablePointer<GstTagList>) {
        var index: UInt32 = 0
        while let event = unsafe gst_pad_get_sticky_event(pointer, GST_EVENT_TAG, index) {
            var tags: UnsafeMutablePointer<GstTagList>?
            unsafe gst_event_parse_tag(event, &tags)
            if let tags = unsafe tags { unsafe gst_tag_list_insert(list, tags, GST_TAG_MERGE_REPLACE) }
            unsafe releaseMiniObject(event)
            index += 1
        }
    }
}
