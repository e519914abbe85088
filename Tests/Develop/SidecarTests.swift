import Develop
import RawImage
import Testing

/// Tests of XMP sidecars: what is read, applied and written.
@Suite(.timeLimit(.minutes(10))) struct SidecarTests {
    /// A sidecar as Adobe's programs write it, with attributes.
    private let adobe = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
         xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
         xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
         xmlns:darktable="http://darktable.sf.net/" darktable:history_end="3"
         xmp:Rating="4" xmp:Label="Red" tiff:Orientation="6" crs:WhiteBalance="Custom" crs:Temperature="4800"
         crs:Tint="+12" crs:Exposure2012="-0.75" crs:Contrast2012="20" crs:Clarity2012="0" crs:HasCrop="True"
         crs:CropLeft="0.25" crs:CropTop="0.5" crs:CropRight="1" crs:CropBottom="0.75">
        <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>rock &amp; roll</rdf:li></rdf:Bag></dc:subject>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A day</rdf:li></rdf:Alt></dc:title>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """

    /// The parts of a sidecar of darktable 4.2 that are read: rotation to the right and crop; the last edit is undone.
    private let darktable = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:darktable="http://darktable.sf.net/" xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmp:Rating="-1" darktable:xmp_version="5" darktable:history_end="3">
           <darktable:colorlabels>
            <rdf:Seq>
             <rdf:li>2</rdf:li>
            </rdf:Seq>
           </darktable:colorlabels>
           <darktable:history>
            <rdf:Seq>
             <rdf:li darktable:num="0" darktable:operation="flip" darktable:enabled="1" darktable:modversion="2"
              darktable:params="05000000"/>
             <rdf:li darktable:num="1" darktable:operation="temperature" darktable:enabled="1"
              darktable:params="gz48eJzjYhgFowABWAbaAaNgwAEANOwADw=="/>
             <rdf:li darktable:num="2" darktable:operation="crop" darktable:enabled="1"
              darktable:params="0000803e0000003f0000403f0000803fffffffffffffffff"/>
             <rdf:li darktable:num="3" darktable:operation="crop" darktable:enabled="0"
              darktable:params="0000000000000000000000000000803fffffffffffffffff"/>
            </rdf:Seq>
           </darktable:history>
           <dc:subject>
            <rdf:Bag>
             <rdf:li>rock &amp; roll</rdf:li>
             <rdf:li>sea</rdf:li>
            </rdf:Bag>
           </dc:subject>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """

    @Test func readsWhatDarktableStores() throws {
        let sidecar = try DevelopSidecar(xmp: darktable)
        #expect(sidecar.rating == -1 && sidecar.label == "Green" && sidecar.keywords == ["rock & roll", "sea"])
        #expect(sidecar.orientation == 6)
        var filter = try filter()
        sidecar.apply(to: &filter)
        // The photo is shown turned to the right, 24×40, and the crop is that of the shown photo.
        let part = PixelRectangle(left: 6, top: 20, width: 12, height: 20)
        #expect(sidecar.crop(of: filter) == part)
        // Adobe's properties, if there are some, take precedence over the history.
        let both = try sidecar.xmp(updating: darktable)
        #expect(both.contains("darktable:operation=\"temperature\""))
        #expect(try DevelopSidecar(xmp: both).crop(of: filter) == part)
        var all = sidecar
        all.crop = nil
        #expect(try DevelopSidecar(xmp: all.xmp(updating: darktable)).crop == nil)
    }

    @Test("the older crop of darktable is read without an angle only")
    func olderCrop() throws {
        func read(_ numbers: String) throws -> DevelopSidecar.Crop? {
            try DevelopSidecar(
                xmp: """
                    <rdf:RDF><rdf:Description darktable:history_end="1"><darktable:history><rdf:Seq>
                    <rdf:li darktable:num="0" darktable:operation="clipping" darktable:enabled="1"
                     darktable:params="\(numbers)"/>
                    </rdf:Seq></darktable:history></rdf:Description></rdf:RDF>
                    """
            ).crop
        }
        let edges = "0000803e0000003f000040bf0000803f"
        let crop = try #require(try read("00000080" + edges))
        #expect((crop.left, crop.top, crop.right, crop.bottom) == (0.25, 0.5, 0.75, 1))
        for other in ["0000a040" + edges, edges, "xx", "0", "gz02eJxjYGBg", "00000000000000000000803f"] {
            let none = try read(other)
            #expect(none == nil, "\(other)")
        }
    }

    @Test("a written sidecar has the form that darktable reads")
    func formForDarktable() throws {
        var filter = try filter(orientation: 6)
        filter.details.keywords = ["sea", "rock & roll"]
        let text = try DevelopSidecar(filter, crop: PixelRectangle(left: 2, top: 6, width: 12, height: 8)).xmp()
        // darktable needs the size for the crop, and the items of arrays on lines of their own.
        #expect(text.contains("<tiff:ImageWidth>40</tiff:ImageWidth>"))
        #expect(text.contains("<tiff:ImageLength>24</tiff:ImageLength>"))
        #expect(
            text.contains(
                """
                   <dc:subject>
                    <rdf:Bag>
                     <rdf:li>sea</rdf:li>
                     <rdf:li>rock &amp; roll</rdf:li>
                    </rdf:Bag>
                   </dc:subject>
                """))
    }

    private func filter(orientation: Int = 1) throws -> RAWFilter {
        let format = MosaicFormat(width: 40, height: 24, pattern: .rggb, bitDepth: 14)
        var metadata = TestCamera.metadata
        metadata.orientation = orientation
        return try RAWFilter(
            Mosaic(format: format, metadata: metadata, codes: [UInt16](repeating: 3000, count: 960)))
    }

    @Test func readsAndAppliesSettingsOfOtherPrograms() throws {
        let sidecar = try DevelopSidecar(xmp: adobe)
        var filter = try filter()
        sidecar.apply(to: &filter)
        #expect(filter.details.rating == 4 && filter.details.label == "Red" && filter.details.title == "A day")
        #expect(filter.details.keywords == ["sea", "rock & roll"])
        #expect(filter.exposure == -0.75 && filter.neutralTemperature == 4800 && filter.neutralTint == 12)
        #expect(sidecar.ignored == ["crs:Contrast2012"])
        // The photo is shown turned to the right: 24×40. The stored top edge at 1/2 is the right one at 1/2 from left.
        #expect(filter.nativeSize == (24, 40))
        #expect(sidecar.crop(of: filter) == PixelRectangle(left: 6, top: 10, width: 6, height: 30))
    }

    @Test("a written sidecar is read as it was", arguments: 1...8)
    func roundTrip(orientation: Int) throws {
        var filter = try filter(orientation: orientation)
        filter.exposure = 1.25
        filter.setNeutral(temperature: 3200, tint: -7)
        filter.sharpnessAmount = 0.125
        filter.boostAmount = 0.5
        filter.isLensCorrectionEnabled = false
        filter.details.rating = -1
        filter.details.keywords = ["a<b", "\"c\""]
        let part = PixelRectangle(left: 2, top: 6, width: 12, height: 8)
        let sidecar = DevelopSidecar(filter, crop: part)
        let read = try DevelopSidecar(xmp: try sidecar.xmp())
        var other = try self.filter(orientation: orientation)
        read.apply(to: &other)
        #expect(other.recipe == filter.recipe && other.details == filter.details)
        #expect(!other.isLensCorrectionEnabled)
        #expect(read.crop(of: other) == part)
    }

    @Test func anUpdateKeepsWhatOtherProgramsStored() throws {
        var sidecar = try DevelopSidecar(xmp: adobe)
        sidecar.rating = 2
        sidecar.exposure = nil
        let text = try sidecar.xmp(updating: adobe)
        #expect(text.contains("darktable:history_end=\"3\"") && text.contains("crs:Contrast2012=\"20\""))
        #expect(!text.contains("xmp:Rating=") && !text.contains("Exposure2012"))
        let again = try DevelopSidecar(xmp: text)
        #expect(again == sidecar)
        #expect(text.ranges(of: "<dc:subject>").count == 1)
        // A second update changes nothing but the place of the properties.
        #expect(try DevelopSidecar(xmp: again.xmp(updating: text)) == sidecar)
    }

    @Test func invalidValuesAreIgnored() throws {
        let text = """
            <rdf:RDF><rdf:Description xmp:Rating="nan" crs:Temperature="1e9" tiff:Orientation="9" crs:HasCrop="True"
            crs:CropLeft="0.9" crs:CropTop="0" crs:CropRight="0.1" crs:CropBottom="1" gscap:Boost="7"/></rdf:RDF>
            """
        #expect(try DevelopSidecar(xmp: text) == DevelopSidecar())
        #expect(throws: DevelopError.self) { try DevelopSidecar(xmp: "no packet") }
        #expect(throws: DevelopError.self) { try DevelopSidecar().xmp(updating: "no packet") }
    }

    /// Removing `crs:Temperature` up to the end tag of another would remove what stands between.
    @Test(arguments: [
        "<a><crs:Temperature>32<rdf:RDF><b>1</b><crs:Temperature>32</crs:Temperature></rdf:RDF></a>",
        "<rdf:RDF><b></rdf:RDF>", "<rdf:RDF></b></rdf:RDF>", "<rdf:RDF></rdf:RDF><", "<rdf:RDF><b x=\"></rdf:RDF>",
        "<!-- <rdf:RDF></rdf:RDF>", "<rdf:RDF><b <c></rdf:RDF>",
    ])
    func aDamagedSidecarIsNotUpdated(text: String) throws {
        #expect(throws: DevelopError.self) { try DevelopSidecar().xmp(updating: text) }
    }

    @Test(arguments: [
        "<?xpacket begin='<'?><rdf:RDF><!-- </b> --><b c=\">\"/></rdf:RDF>", "<rdf:RDF ><b\n></b ></rdf:RDF>",
        "<!DOCTYPE x><rdf:RDF><b><![CDATA[<c>]]></b></rdf:RDF>",
    ])
    func unusualXMLIsUpdated(text: String) throws {
        #expect(try DevelopSidecar().xmp(updating: text).hasSuffix("</rdf:RDF>"))
    }
}
