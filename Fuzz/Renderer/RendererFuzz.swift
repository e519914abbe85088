// Fuzz target for rendering DNG files: Tools/checks/fuzz Renderer SECONDS

internal import DNG
internal import Develop
internal import PictureFiles
internal import RawImage

/// Entry point for libFuzzer: opens the bytes as a DNG file and renders it; the last byte selects look and output.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.last, let file = try? DNGFile(bytes: bytes) else { return 0 }
    // Skip large pictures: they take long and reach no code that small ones do not.
    guard file.images.allSatisfy({ $0.width * $0.height <= 1 << 12 }) else { return 0 }
    let looks = RAWFilter.Look.allCases
    guard let filter = try? RAWFilter(file: file, look: looks[Int(choice) % looks.count]) else { return 0 }
    develop(changed(filter, choice), Int(choice))
    return 0
}

/// Returns the filter, selected by `choice`, with another white balance, with some steps disabled, or unchanged.
private func changed(_ filter: RAWFilter, _ choice: UInt8) -> RAWFilter {
    var filter = filter
    switch choice / 3 % 5 {
    case 0: try? filter.setAutomaticWhiteBalance()
    case 1: try? filter.setNeutral(column: 3, row: 2)
    case 2: filter.neutralTemperature = 3000
    case 3: (filter.isLensCorrectionEnabled, filter.boostAmount, filter.localToneMapAmount) = (false, 0.5, 0.5)
    default: break
    }
    return filter
}

/// Renders one kind of output of the filter, selected by `choice`; no picture may be empty.
private func develop(_ filter: RAWFilter, _ choice: Int) {
    let size = filter.nativeSize
    let part = PixelRectangle(
        left: size.width / 3, top: size.height / 3, width: (size.width + 2) / 3, height: (size.height + 2) / 3)
    let transfers = PictureColor.Transfer.allCases
    let color = PictureColor(.displayP3, transfers[choice % transfers.count])
    let depth = Renderer.Output.Depth.allCases[choice / 2 % 3]
    switch choice / 15 % 6 {
    case 0: check(try? filter.picture(color: color, depth: depth, cores: 1))
    case 1: check(try? filter.picture(color: color, depth: depth, fitting: (5, 4), cores: 1))
    case 2: check(try? filter.picture(color: color, depth: depth, crop: part, fitting: (3, 9), cores: 1))
    case 3: check(try? filter.sceneLinearPicture(crop: part, cores: 1))
    case 4: _ = (try? filter.histogram(), filter.warnings, filter.neutralTint)
    default:
        guard let picture = try? filter.picture(cores: 1) else { return }
        var encoding = PictureEncoding([.jpeg, .png, .tiff][choice % 3])
        encoding.metadata = filter.metadata
        _ = try? encoding.encode(picture)
    }
}

private func check(_ picture: Picture?) {
    precondition(picture?.samples.count != 0)
}
