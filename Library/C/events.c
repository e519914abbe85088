/*
 * events.c: the messages of a camera's element.
 *
 *     gscap_capture ─► under way ──photo──► under way ──done──► finished ──gscap_wait, or too many──► released
 *                          └──closed, or the camera has failed──────┘
 *
 * The element emits `capture-event` on the thread that posts the message. The capture is updated under the lock, and
 * the callback is called without it.
 */
#include "gscap-private.h"

GscapPress *gscap_press_new(guint64 ticket) {
    GscapPress *press = g_new0(GscapPress, 1);
    press->references = 1;
    press->result = gscap_result_new(ticket);
    return press;
}

GscapPress *gscap_press_ref(GscapPress *press) {
    g_atomic_int_inc(&press->references);
    return press;
}

void gscap_press_unref(gpointer data) {
    GscapPress *press = data;
    if (!g_atomic_int_dec_and_test(&press->references)) return;
    gscap_result_unref(press->result);
    g_free(press);
}

GSList *gscap_keep_result(GscapCamera *camera, guint64 finished) {
    GSList *oldest = NULL;
    g_queue_push_tail(&camera->finished, g_memdup2(&finished, sizeof finished));
    while (camera->finished.length > camera->kept_results) {
        guint64 *ticket = g_queue_pop_head(&camera->finished);
        GscapPress *press = g_hash_table_lookup(camera->presses, ticket);
        if (press) oldest = g_slist_prepend(oldest, gscap_press_ref(press));
        g_hash_table_remove(camera->presses, ticket);
        g_free(ticket);
    }
    return oldest;
}

/* Updates the capture of a message; returns whether the message is to be passed on. */
static gboolean update(GscapCamera *camera, GscapEvent *event, GSList **released) {
    gboolean is_done = g_str_equal(event->event, GSCAP_EVENT_DONE);
    GscapPress *press = g_hash_table_lookup(camera->presses, &event->ticket);
    if (press && press->is_done) return FALSE; /* ended when the camera failed, before the element ended it */
    if (press && event->photo) gscap_result_add(press->result, event->photo);
    if (!is_done) return TRUE;
    event->result = press ? gscap_result_ref(press->result) : gscap_result_new(event->ticket);
    double retry_after = -1;
    gscap_get_number(event->fields, GSCAP_FIELD_RETRY_AFTER, &retry_after);
    gscap_result_finish(
        event->result, gscap_outcome_named(gst_structure_get_string(event->fields, GSCAP_FIELD_RESULT)),
        gst_structure_get_string(event->fields, GSCAP_FIELD_REASON), retry_after);
    if (!press) return TRUE;
    press->is_done = TRUE;
    if (press->is_accepted) *released = gscap_keep_result(camera, event->ticket);
    g_cond_broadcast(&camera->changed);
    return TRUE;
}

static void deliver(GscapCamera *camera, GscapEvent *event) {
    GSList *released = NULL;
    g_mutex_lock(&camera->lock);
    gboolean is_wanted = update(camera, event, &released);
    GscapListener *listener = is_wanted ? gscap_listener_ref(camera->listener) : NULL;
    camera->calls++;
    g_mutex_unlock(&camera->lock);
    gscap_listener_call(listener, camera, event);
    gscap_listener_unref(listener);
    g_slist_free_full(released, gscap_press_unref);
    g_mutex_lock(&camera->lock);
    camera->calls--;
    g_cond_broadcast(&camera->changed);
    g_mutex_unlock(&camera->lock);
}

static void receive(GstElement *element, const GstStructure *fields, gpointer data) {
    (void)element;
    GscapEvent event = {sizeof event, NULL, 0, 0, 0, NULL, NULL, fields};
    if (!fields || !gst_structure_has_name(fields, GSCAP_MESSAGE)) return;
    event.event = gst_structure_get_string(fields, GSCAP_FIELD_EVENT);
    if (!event.event || !gst_structure_get_uint64(fields, GSCAP_FIELD_CAPTURE_ID, &event.ticket)) return;
    gst_structure_get_int(fields, GSCAP_FIELD_INDEX, &event.index);
    gst_structure_get_int(fields, GSCAP_FIELD_COUNT, &event.count);
    if (g_str_equal(event.event, GSCAP_EVENT_PHOTO)) event.photo = gscap_photo_new(event.ticket, fields);
    deliver(data, &event);
    gscap_photo_unref(event.photo);
    gscap_result_unref(event.result);
}

gboolean gscap_listen(GscapCamera *camera) {
    if (!g_signal_lookup(GSCAP_SIGNAL_CAPTURE_EVENT, G_OBJECT_TYPE(camera->bin))) {
        gscap_fail(
            GSCAP_ERROR_PLUGIN, "the element %s has no signal %s: install a newer gstreamer1.0-gscap", GSCAP_ELEMENT,
            GSCAP_SIGNAL_CAPTURE_EVENT);
        return FALSE;
    }
    camera->handler = g_signal_connect_data(
        camera->bin, GSCAP_SIGNAL_CAPTURE_EVENT, G_CALLBACK(receive), gscap_camera_ref(camera),
        (GClosureNotify)(GCallback)gscap_camera_unref, 0);
    return TRUE;
}

void gscap_end_captures(GscapCamera *camera, const char *outcome, const char *reason) {
    g_mutex_lock(&camera->lock);
    GArray *tickets = g_array_new(FALSE, FALSE, sizeof(guint64));
    GHashTableIter iterator;
    gpointer ticket, press;
    g_hash_table_iter_init(&iterator, camera->presses);
    while (g_hash_table_iter_next(&iterator, &ticket, &press))
        if (!((GscapPress *)press)->is_done) g_array_append_vals(tickets, ticket, 1);
    g_mutex_unlock(&camera->lock);
    for (guint i = 0; i < tickets->len; i++) {
        guint64 id = g_array_index(tickets, guint64, i);
        GstStructure *fields = gst_structure_new(
            GSCAP_MESSAGE, GSCAP_FIELD_EVENT, G_TYPE_STRING, GSCAP_EVENT_DONE, GSCAP_FIELD_CAPTURE_ID, G_TYPE_UINT64,
            id, GSCAP_FIELD_RESULT, G_TYPE_STRING, outcome, GSCAP_FIELD_REASON, G_TYPE_STRING, reason, NULL);
        receive(NULL, fields, camera);
        gst_structure_free(fields);
        /* The element may go on: that of the program's own pipeline, or after the failure of another one. */
        gboolean was_under_way = FALSE;
        g_signal_emit_by_name(camera->bin, GSCAP_SIGNAL_CANCEL, id, &was_under_way);
    }
    g_array_free(tickets, TRUE);
}

void gscap_camera_failed(gpointer data, const char *reason) {
    GscapCamera *camera = data;
    g_mutex_lock(&camera->lock);
    gboolean is_first = !camera->failure && !camera->is_closing;
    if (is_first) camera->failure = g_strdup(reason);
    g_mutex_unlock(&camera->lock);
    if (is_first) gscap_end_captures(camera, GSCAP_RESULT_FAILED, reason);
}
