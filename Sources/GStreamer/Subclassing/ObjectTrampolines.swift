internal import CGStreamer
internal import CGStreamerShims

// C functions for the class structs of GObject and GstElement. Each looks up the element's Swift part, calls one method
// and returns its result to C.

extension ElementType {
    /// Overrides the functions of GObject: properties and `finalize`.
    func overrideObject(_ objectClass: UnsafeMutablePointer<GObjectClass>) {
        unsafe objectClass.pointee.set_property = { object, _, value, specification in
            guard let value = unsafe value, let name = unsafe specification?.pointee.name,
                let instance = unsafe ElementInstance.of(object)
            else { return }
            let property = unsafe String(cString: name)
            do throws(GscapError) {
                let value = unsafe Value(reading: value)
                instance.handle.log(.debug, "\(property) = \(value.debugText)")
                try instance.behaviour.setProperty(property, to: value)
            } catch {
                instance.warn(error)
            }
        }
        unsafe objectClass.pointee.get_property = { object, _, value, specification in
            guard let value = unsafe value, let name = unsafe specification?.pointee.name,
                let instance = unsafe ElementInstance.of(object)
            else { return }
            let property = unsafe String(cString: name)
            do throws(GscapError) {
                let current = try instance.behaviour.property(property)
                unsafe current.copy(to: value)
            } catch {
                instance.warn(error)
            }
        }
        unsafe objectClass.pointee.finalize = { object in
            guard let object = unsafe object, let instance = unsafe ElementInstance.remove(from: object) else { return }
            unsafe instance.parentClass(GObjectClass.self).finalize?(object)
        }
    }

    /// Overrides the functions of GstElement: state changes and events that applications send.
    func overrideElement(_ elementClass: UnsafeMutablePointer<GstElementClass>) {
        unsafe elementClass.pointee.send_event = { element, pointer in
            guard let pointer = unsafe pointer else { return 0 }
            let event = unsafe Event(takingFull: pointer)
            guard let instance = unsafe ElementInstance.of(element) else { return 0 }
            if instance.behaviour.handle(sent: event) { return 1 }
            return unsafe instance.parentClass(GstElementClass.self).send_event?(element, event.copyFull()) ?? 0
        }
        unsafe elementClass.pointee.change_state = { element, change in
            guard let element = unsafe element, let instance = unsafe ElementInstance.of(element) else {
                return GST_STATE_CHANGE_FAILURE
            }
            let transition = StateTransition(change)
            instance.handle.log(.info, "changes from \(transition.from) to \(transition.to)")
            guard instance.succeeds({ try instance.behaviour.willChangeState(transition) }) != 0,
                let base = unsafe instance.parentClass(GstElementClass.self).change_state
            else { return GST_STATE_CHANGE_FAILURE }
            if change == GST_STATE_CHANGE_READY_TO_PAUSED { unsafe instance.setTiming(of: element) }
            let result = unsafe base(element, change)
            if result != GST_STATE_CHANGE_FAILURE { instance.behaviour.didChangeState(transition) }
            return result
        }
    }
}

extension StateTransition {
    /// Unpacks a GstStateChange, which has the current state in bits 3 and up and the next state in bits 0 to 2.
    fileprivate init(_ change: GstStateChange) {
        from = Element.State(GstState(rawValue: change.rawValue >> 3))
        to = Element.State(GstState(rawValue: change.rawValue & 7))
    }
}
