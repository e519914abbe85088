import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the baseline and the AVX2 (x86-64-v3) builds of the packing kernels give identical results.
@Suite(.enabled(if: hasWideVectors)) struct PackingKernelTests {
    private let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 >> 5) }
    private let codes = (0..<2048).map { UInt16(truncatingIfNeeded: $0 &* 40_503) }

    @Test(arguments: [0, 1, 2, 3, 5, 31, 64, 259, 1021])
    func unpacksAlike(_ count: Int) {
        var results: [[UInt16]] = []
        for isWide in [false, true] {
            var all: [UInt16] = []
            func run(_ unpack: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt16>, Int) -> UInt16) {
                var target = [UInt16](repeating: 0xABCD, count: 1024)
                let bits = unsafe unpack(bytes, &target, count)
                all += target + [bits]
            }
            unsafe run(isWide ? KernelsV3.unpackBytes : KernelsBaseline.unpackBytes)
            unsafe run(isWide ? KernelsV3.unpackMIPI10 : KernelsBaseline.unpackMIPI10)
            unsafe run(isWide ? KernelsV3.unpackMIPI12 : KernelsBaseline.unpackMIPI12)
            unsafe run(isWide ? KernelsV3.unpackMIPI14 : KernelsBaseline.unpackMIPI14)
            unsafe run { unsafe (isWide ? KernelsV3.unpackLittle : KernelsBaseline.unpackLittle)($0, $1, $2) }
            unsafe run { unsafe (isWide ? KernelsV3.unpackBig : KernelsBaseline.unpackBig)($0, $1, $2) }
            results.append(all)
        }
        #expect(results[0] == results[1])
        #expect(results[0][count] == 0xABCD)
    }

    @Test(arguments: [0, 1, 2, 3, 5, 31, 64, 259, 1021])
    func packsAlike(_ count: Int) {
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var all: [UInt8] = []
            func run(_ pack: (UnsafePointer<UInt16>, UnsafeMutablePointer<UInt8>, Int) -> Void) {
                var target = [UInt8](repeating: 0xA5, count: 2100)
                unsafe pack(codes, &target, count)
                all += target
            }
            unsafe run(isWide ? KernelsV3.packBytes : KernelsBaseline.packBytes)
            unsafe run(isWide ? KernelsV3.packLittle : KernelsBaseline.packLittle)
            unsafe run(isWide ? KernelsV3.packBig : KernelsBaseline.packBig)
            unsafe run(isWide ? KernelsV3.packMIPI10 : KernelsBaseline.packMIPI10)
            unsafe run(isWide ? KernelsV3.packMIPI12 : KernelsBaseline.packMIPI12)
            unsafe run(isWide ? KernelsV3.packMIPI14 : KernelsBaseline.packMIPI14)
            results.append(all)
        }
        #expect(results[0] == results[1])
    }
}
