/* listener.c: the function that a program has set, which lives until its last call has returned. */
#include "gscap-private.h"

struct GscapListener {
    int references;
    GscapCallback callback;
    void *data;
    void (*destroy)(void *data);
};

GscapListener *gscap_listener_new(GscapCallback callback, void *data, void (*destroy)(void *data)) {
    GscapListener *listener = g_new0(GscapListener, 1);
    listener->references = 1;
    listener->callback = callback;
    listener->data = data;
    listener->destroy = destroy;
    return listener;
}

GscapListener *gscap_listener_ref(GscapListener *listener) {
    if (listener) g_atomic_int_inc(&listener->references);
    return listener;
}

void gscap_listener_unref(GscapListener *listener) {
    if (!listener || !g_atomic_int_dec_and_test(&listener->references)) return;
    if (listener->destroy) {
        gscap_enter_callback();
        listener->destroy(listener->data);
        gscap_leave_callback();
    }
    g_free(listener);
}

void gscap_listener_call(GscapListener *listener, GscapCamera *camera, const GscapEvent *event) {
    if (!listener) return;
    gscap_enter_callback();
    listener->callback(camera, event, listener->data);
    gscap_leave_callback();
}
