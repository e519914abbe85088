internal import KernelTypes
internal import Kernels
internal import PixelMemory

extension TileSource {
    /// The tile of a reference frame and the block of another frame that was subtracted from it.
    struct Difference {
        let reference: Block
        let frame: Block
        /// The shifts by which the frame was interpolated.
        let right: TileShift
        let down: TileShift
    }

    /// Computes in `scratch.tile` the difference between this frame, moved by `motion`, and the reference's tile at a
    /// mosaic position, each colour interpolated from its own samples.
    func subtract(
        _ reference: TileSource, x: Int, y: Int, _ motion: MotionField.Motion, _ scratch: borrowing TileScratch
    ) -> Difference {
        let (right, down) = (TileShift.at(motion.right), TileShift.at(motion.down))
        let (side, frameSide) = (Self.side, BurstTile.colorBlock)
        let referenceBlock = reference.block(x: x, y: y, columns: side, rows: side, scratch.referenceBlock)
        let frameBlock = block(
            x: x + 2 * (right.whole - 1), y: y + 2 * (down.whole - 1), columns: frameSide, rows: frameSide,
            scratch.block)
        unsafe subtractReferenceTile(
            frameBlock.codes.pointer(columns: frameSide, rows: frameSide, stride: frameBlock.stride),
            frameBlock.stride, right.shift.weights, down.shift.weights * gain, reference.black - black * gain,
            referenceBlock.codes.pointer(columns: side, rows: side, stride: referenceBlock.stride),
            referenceBlock.stride, scratch.tile.pointer(BurstTile.rows),
            scratch.kernelScratch.pointer(BurstTile.subtractRows))
        return Difference(reference: referenceBlock, frame: frameBlock, right: right.shift, down: down.shift)
    }
}
