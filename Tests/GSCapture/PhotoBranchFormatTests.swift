import GscapElements
import Testing

@testable import CapturePlan

/// Sessions and `gscapphotobin` make the same branches.
@Suite struct PhotoBranchFormatTests {
    @Test func everyFormatHasItsBranch() {
        let processed = ProcessedPhotoFormat.allCases.map(\.branch)
        #expect(Set(processed + [.bayer, .proraw]) == Set(PhotoBranchFormat.allCases))
        for format in ProcessedPhotoFormat.allCases { #expect(format.branch.rawValue == format.rawValue) }
    }

    @Test(arguments: ["", "jpg", "jpeg,jpeg", ",", "proRAW"]) func aWrongListHasNoFormats(text: String) {
        #expect(PhotoBranchFormat.list(text) == nil)
    }
}
