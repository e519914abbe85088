internal import CGStreamer
internal import CGStreamerShims

extension ElementType {
    /// Overrides the function of GstBin that receives the messages of the elements inside.
    func overrideBin(_ anyClass: UnsafeMutableRawPointer) {
        let binClass = unsafe anyClass.assumingMemoryBound(to: GstBinClass.self)
        unsafe binClass.pointee.handle_message = { bin, message in
            guard let bin = unsafe bin, let message = unsafe message else { return }
            // The function owns the message's reference.
            guard let instance = unsafe ElementInstance.of(bin), let behaviour = instance.bin else {
                return unsafe releaseMiniObject(message)
            }
            let type = unsafe message.pointee.type
            let isOffered = [GST_MESSAGE_ERROR, GST_MESSAGE_WARNING, GST_MESSAGE_ELEMENT].contains(type)
            if isOffered, unsafe !behaviour.passes(Message(reading: message)) {
                return unsafe releaseMiniObject(message)
            }
            unsafe instance.parentClass(GstBinClass.self).handle_message?(bin, message)
        }
    }
}
