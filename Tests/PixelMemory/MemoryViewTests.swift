import PixelMemory
import Testing

/// Views address the elements of their owner, and debug builds end the process at an access outside their bounds.
@Suite struct MemoryViewTests {
    @Test func aViewCanBeginInsideARow() {
        let memory = OwnedMemory<Float>(repeating: 0, count: 20)
        let row = memory.view.part(10, count: 10) + 2
        row[-2] = 1
        row[7] = 2
        #expect(row.bounds == -2..<8)
        #expect(memory.view[10] == 1)
        #expect(memory.view[19] == 2)
        #expect((row - 2)[0] == 1)
    }

    @Test func elementsAreCopiedAndRepeated() {
        var target = [UInt16](repeating: 0, count: 5)
        [UInt16(1), 2, 3].withView { source in
            target.withMutableView { target in
                (target + 1).update(from: source + 1, count: 2)
                (target + 3).update(repeating: 9, count: 2)
            }
        }
        #expect(target == [0, 2, 3, 9, 9])
    }

    @Test func aViewOfAnotherTypeCoversTheSameBytes() {
        let memory = OwnedMemory<UInt64>(repeating: 0x0004_0003_0002_0001, count: 3)
        let codes = (memory.view + 1).rebound(to: UInt16.self)
        #expect(codes.bounds == -4..<8)
        #expect((0..<4).map { codes[$0] } == [1, 2, 3, 4])
    }

    @Test func anArrayIsFilledInPlace() {
        let squares = [Int](filling: 4) { values in
            for index in 0..<4 { values[index] = index * index }
        }
        #expect(squares == [0, 1, 4, 9])
        #expect([UInt8](fillingLarge: 0) { _ in }.isEmpty)
        #expect([UInt8]().withView { $0.bounds.isEmpty })
    }

    @Test func scratchMemoryReturnsToItsPoolAndIsCleared() {
        let pool = ScratchMemoryPool()
        for _ in 0..<2 {
            let memory = pool.take(64)
            #expect((0..<64).allSatisfy { memory.view[$0] == 0 })
            memory.view.update(repeating: 1, count: 64)
        }
    }
}

#if DEBUG
    /// An access outside the bounds of a view ends the process.
    @Suite struct MemoryBoundsTests {
        @Test func readingOutsideIsAnError() async {
            await #expect(processExitsWith: .failure) {
                let memory = OwnedMemory<Float>(repeating: 0, count: 4)
                _ = memory.view[4]
            }
        }

        @Test func writingAnotherTileIsAnError() async {
            await #expect(processExitsWith: .failure) {
                let memory = OwnedMemory<Float>(repeating: 0, count: 8)
                memory.view.part(0, count: 4)[4] = 1
            }
        }

        @Test func aKernelsRangeIsChecked() async {
            await #expect(processExitsWith: .failure) {
                let memory = OwnedMemory<Float>(repeating: 0, count: 8)
                _ = unsafe (memory.view + 4).pointer(-4..<5)
            }
        }
    }
#endif
