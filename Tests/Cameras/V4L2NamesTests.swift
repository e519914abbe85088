import CVideo4Linux
import Errors
import Glibc
import RawImage
import Testing

@testable import Cameras

/// Names of Video4Linux.
@Suite struct V4L2NamesTests {
    @Test(arguments: BayerDialect.fourCharacterCodes.map(\.name))
    func fourCharacterCodesAreTextAndNumbers(_ text: String) {
        #expect(FourCharacterCode.text(FourCharacterCode.code(text)) == text)
        #expect(FourCharacterCode.formats[FourCharacterCode.code(text)] == BayerDialect.meaning(of: text))
    }

    @Test func theKernelsOwnNumbers() {
        // From the kernel's header: v4l2_fourcc('R', 'G', '1', '2') and so on.
        #expect(FourCharacterCode.code("RG12") == 0x3231_4752)
        #expect(FourCharacterCode.code("pgAA") == 0x4141_6770)
        #expect(FourCharacterCode.code("Y16 -BE") == 0xA036_3159)
    }

    @Test func noRefusedFormatIsOneThatIsRead() {
        #expect(FourCharacterCode.refused.keys.allSatisfy { FourCharacterCode.formats[$0] == nil })
    }

    @Test func numbersOfFormatsOnTheBusAreThoseOfTheKernel() {
        #expect(BusFormat.code(.init(pattern: .rggb, bitDepth: 12)) == UInt32(MEDIA_BUS_FMT_SRGGB12_1X12))
        #expect(BusFormat.code(.init(pattern: .gbrg, bitDepth: 10)) == UInt32(MEDIA_BUS_FMT_SGBRG10_1X10))
        #expect(BusFormat.code(.init(pattern: .bggr, bitDepth: 14)) == UInt32(MEDIA_BUS_FMT_SBGGR14_1X14))
        #expect(BusFormat.code(.init(pattern: .grbg, bitDepth: 16)) == UInt32(MEDIA_BUS_FMT_SGRBG16_1X16))
        #expect(BusFormat.code(.init(pattern: nil, bitDepth: 10)) == UInt32(MEDIA_BUS_FMT_Y10_1X10))
        #expect(BusFormat.name(0x3012) == "SRGGB12" && BusFormat.name(0x2013) == "Y12")
        #expect(BusFormat.name(0x100A) == "0x100a")
    }

    @Test func identifiersHaveNoSpacesAndPlacesAreWords() {
        #expect(V4L2Backend.identifier(bus: "platform:vimc", "Raw Capture 0") == "platform:vimc/Raw-Capture-0")
        #expect(V4L2Backend.place(bus: "usb-0000:00:14.0-1.2", entity: "") == "USB port 1.2")
        #expect(V4L2Backend.place(bus: "platform:3f801000.csi", entity: "imx219 10-0010") == "I2C bus 10, address 0x10")
        #expect(V4L2Backend.place(bus: "platform:vimc", entity: "Sensor A") == "built in: vimc")
    }

    @Test func aMissingRightIsNamedWithItsGroup() {
        let text = V4L2Backend.problem(SystemError(number: EACCES), "/dev/null")
        #expect(text.contains("usermod -aG") && text.contains("/dev/null"))
        #expect(V4L2Backend.problem(SystemError(number: EIO), "/dev/x").contains("Input/output error"))
    }

    @Test func theValuesOfAControlKeepToItsStepsAndLimits() {
        let control = KernelControl(
            id: 1, name: "gain", minimum: 10, maximum: 95, step: 10, standard: 20, isWide: false,
            menu: [:])
        #expect([-5, 14, 16, 99, Double.nan].map(control.clamped) == [10, 10, 20, 90, 20])
    }
}
