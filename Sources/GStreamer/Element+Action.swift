internal import CGStreamer
internal import CGStreamerShims

extension Element {
    /// Emits an action signal without parameters and result, such as `start-capture` of camerabin.
    package func emit(_ signal: String) throws(GscapError) {
        let type = unsafe gscap_instance_type(pointer)
        let number = unsafe g_signal_lookup(signal, type)
        guard number != 0 else {
            throw GscapError(message: "\(factoryName) has no signal \"\(signal)\"", place: name)
        }
        var query = unsafe GSignalQuery()
        unsafe g_signal_query(number, &query)
        guard unsafe query.n_params == 0, unsafe query.return_type == gscap_type_none else {
            throw GscapError(message: "the signal \"\(signal)\" has parameters or a result", place: name)
        }
        var instance = GValue()
        unsafe g_value_init(&instance, type)
        defer { unsafe g_value_unset(&instance) }
        unsafe g_value_set_object(&instance, pointer)
        unsafe g_signal_emitv(&instance, number, 0, nil)
    }
}
