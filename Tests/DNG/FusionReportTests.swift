import DNG
import RawImage
import Testing

/// Tests of the fusion report in a file's XMP.
@Suite(.timeLimit(.minutes(10))) struct FusionReportTests {
    /// A fusion report with a non-default value in every field.
    static let report: FusionReport = {
        var report = FusionReport()
        report.frames = [
            .init(index: 0, mergedShare: 1), .init(index: 1, motion: SIMD2(-3.25, 0.5), mergedShare: 0.75),
            .init(index: 2, rejection: "shows <another> scene & \"more\"", motion: SIMD2(12, -7), mergedShare: 0),
        ]
        report.reference = 1
        report.effectiveFrames = 1.625
        report.leastEffectiveFrames = 1.125
        report.effectiveFramesMap = EffectiveFramesMap(columns: 3, rows: 2, values: [1, 2, 1.5, 1.75, 1.25, 1])
        report.expectedNoiseGain = 2.125
        report.measuredNoiseGain = 2.0625
        report.noiseSource = .corrected
        report.statedNoiseRatio = 4.125
        report.repairedPixels = 17
        report.superResolvedFraction = 0.5
        report.superResolutionScale = 1.5
        report.denoising = 0.25
        report.teleUsedFraction = 0.25
        report.teleEnlargement = 1.5
        report.add(0.25, to: "alignment")
        report.add(0.5, to: "merge")
        return report
    }()

    private func photo(_ report: FusionReport?, xmp: String? = nil) throws -> DNGFile {
        var mosaic = try TestPictures.mosaic(32, 24)
        mosaic.metadata.fusion = report
        var writer = DNGWriter()
        writer.xmp = xmp
        return try DNGFile(bytes: writer.encode(mosaic))
    }

    @Test func fusionReportRoundTrips() throws {
        let metadata = try photo(Self.report).metadata
        #expect(metadata.fusion == Self.report)
        #expect(metadata.fusedFrames == 2)
        #expect(try photo(nil).metadata.fusion == nil)
    }

    @Test func effectiveFramesMapIsDownsampled() throws {
        var report = Self.report
        let values = (0..<100 * 75).map { Float($0 % 100) }
        report.effectiveFramesMap = EffectiveFramesMap(columns: 100, rows: 75, values: values)
        let map = try #require(try photo(report).metadata.fusion).effectiveFramesMap
        #expect((map.columns, map.rows) == (25, 19))
        #expect(map.values.count == 25 * 19)
        #expect(map.values[24] == 97.5)
    }

    @Test func valuesAsAttributesAreRead() throws {
        let packet = """
            <x:xmpmeta><rdf:RDF><rdf:Description gscap:FusionReference='2' gscap:FusionEffectiveFrames = "9"
             gscap:FusionLeastEffectiveFrames="3.5" gscap:FusionRepairedPixels="4">
             <gscap:FusionFrameResult> <rdf:Seq> <rdf:li>used</rdf:li>
              <rdf:li xml:lang='x'>black</rdf:li><rdf:li/></rdf:Seq></gscap:FusionFrameResult>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let report = try #require(try photo(nil, xmp: packet).metadata.fusion)
        #expect(report.reference == 2)
        #expect(report.leastEffectiveFrames == 3.5)
        #expect(report.repairedPixels == 4)
        #expect(report.frames.map(\.rejection) == [nil, "black", ""])
        #expect(report.usedFrames == 1)
    }

    @Test(arguments: [
        "<gscap:FusionReference", "<gscap:FusionReference>", "<gscap:FusionReference>1", "<gscap:FusionReference/>",
        "gscap:FusionReference=", "gscap:FusionReference=\"", "<gscap:FusionReference>99999999999999999999</gscap:F",
    ])
    func invalidFusionReportsAreIgnored(packet: String) throws {
        #expect(try photo(nil, xmp: packet).metadata.fusion == nil)
    }

    @Test func mapOfImpossibleSizeIsIgnored() throws {
        for size in ["9000000000000000000 9000000000000000000", "-1 -1", "0 0", "2 2", "nan 1", "1e30 1"] {
            let packet =
                "<gscap:FusionReference>0</gscap:FusionReference><gscap:FusionMapSize>\(size)</gscap:FusionMapSize>"
                + "<gscap:FusionMap>1 2 3</gscap:FusionMap>"
            let map = try #require(try photo(nil, xmp: packet).metadata.fusion).effectiveFramesMap
            #expect(map == EffectiveFramesMap())
        }
    }

    /// XMP packets with a random part removed or repeated must not trap.
    @Test func damagedXMPPacketsAreHandled() throws {
        let whole = try #require(try photo(Self.report).xmp)
        var dice = Dice(seed: 3)
        for _ in 0..<300 {
            let cut = Array(whole.unicodeScalars)
            let (first, second) = (
                Int.random(in: 0..<cut.count, using: &dice), Int.random(in: 0..<cut.count, using: &dice)
            )
            var text = String.UnicodeScalarView()
            text.append(contentsOf: cut[..<first])
            text.append(contentsOf: cut[second...])
            _ = try photo(nil, xmp: String(text)).metadata
        }
    }
}
