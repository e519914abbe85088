/* capture.c: presses, waiting for results, readiness and metrics. */
#include "gscap-private.h"

#include <math.h>

/*
 * The tickets of this library begin here, so that they differ from those that shutters and the Python module choose and
 * are exact as JSON numbers.
 */
#define FIRST_TICKET (G_GUINT64_CONSTANT(1) << 48)
/* The longest time in seconds that a call waits. */
#define LONGEST_WAIT 86400.0

/* Begins a function on a camera: returns it with a reference, or NULL with the last error set. */
static GscapCamera *enter(GscapCamera *handle) {
    GscapCamera *camera = gscap_handle_ref(handle, GSCAP_HANDLE_CAMERA);
    if (camera) gscap_succeed();
    else gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not a camera: it is NULL or was closed");
    return camera;
}

static guint64 new_ticket(void) {
    static GMutex lock;
    static guint64 last = FIRST_TICKET;
    g_mutex_lock(&lock);
    guint64 ticket = ++last;
    g_mutex_unlock(&lock);
    return ticket;
}

/* Returns the request's ticket, a new one if it has none; 0 if it is no number. */
static guint64 ticket_of(GstStructure *request) {
    guint64 ticket = 0;
    if (gst_structure_has_field(request, GSCAP_REQUEST_ID)) {
        gscap_get_count(request, GSCAP_REQUEST_ID, &ticket);
        return ticket;
    }
    ticket = new_ticket();
    gst_structure_set(request, GSCAP_REQUEST_ID, G_TYPE_UINT64, ticket, NULL);
    return ticket;
}

/* Adds a capture before it is requested, because its messages may come before the request returns. */
static GscapStatus add_press(GscapCamera *camera, guint64 ticket, GscapPress **added) {
    GscapStatus status = GSCAP_OK;
    g_mutex_lock(&camera->lock);
    if (camera->is_closing) {
        status = gscap_fail(GSCAP_ERROR_CLOSED, "the camera is being closed");
    } else if (camera->failure) {
        status = gscap_fail(GSCAP_ERROR_CAMERA, "the camera has failed: %s", camera->failure);
    } else if (ticket == 0 || g_hash_table_contains(camera->presses, &ticket)) {
        status = gscap_fail(
            GSCAP_ERROR_ARGUMENT, "id %" G_GUINT64_FORMAT " is not above 0 or that of another capture: leave it out",
            ticket);
    } else {
        *added = gscap_press_new(ticket);
        g_hash_table_insert(camera->presses, g_memdup2(&ticket, sizeof ticket), gscap_press_ref(*added));
    }
    g_mutex_unlock(&camera->lock);
    return status;
}

static gint compare_tickets(gconstpointer a, gconstpointer b) {
    return *(const guint64 *)a != *(const guint64 *)b;
}

/* Removes a capture whose result was returned or whose press was refused; under the lock. */
static void forget(GscapCamera *camera, guint64 ticket) {
    GList *link = g_queue_find_custom(&camera->finished, &ticket, compare_tickets);
    if (link) {
        g_free(link->data);
        g_queue_delete_link(&camera->finished, link);
    }
    g_hash_table_remove(camera->presses, &ticket);
}

/* Keeps the result of an accepted press that has ended already. */
static void accept(GscapCamera *camera, guint64 ticket, GscapPress *press) {
    g_mutex_lock(&camera->lock);
    press->is_accepted = TRUE;
    gboolean is_kept = press->is_done && g_hash_table_lookup(camera->presses, &ticket) == press;
    GSList *released = is_kept ? gscap_keep_result(camera, ticket) : NULL;
    g_mutex_unlock(&camera->lock);
    g_slist_free_full(released, gscap_press_unref);
}

/* Forgets a refused press, and stores the reason that its message `done` had. */
static GscapStatus refuse(GscapCamera *camera, guint64 ticket, GscapPress *press) {
    g_mutex_lock(&camera->lock);
    forget(camera, ticket);
    gboolean has_reason = press->is_done;
    g_mutex_unlock(&camera->lock);
    if (!has_reason) return gscap_fail_refused(-1, "the press was refused: another capture may have the same id");
    return gscap_fail_refused(gscap_result_retry_after(press->result), gscap_result_get_reason(press->result));
}

/* Presses the shutter; takes the structure. `pressed`, unless NULL, is given a reference to an accepted press. */
static GscapStatus press(GscapCamera *handle, GstStructure *request, uint64_t *ticket, GscapPress **pressed) {
    GscapCamera *camera = enter(handle);
    if (!camera) {
        gst_structure_free(request);
        return GSCAP_ERROR_ARGUMENT;
    }
    guint64 id = ticket_of(request), accepted = 0;
    GscapPress *added = NULL;
    GscapStatus status = add_press(camera, id, &added);
    if (!status) {
        g_signal_emit_by_name(camera->bin, GSCAP_SIGNAL_CAPTURE, request, &accepted);
        if (accepted != 0) {
            *ticket = id;
            accept(camera, id, added);
        } else {
            status = refuse(camera, id, added);
        }
        if (!status && pressed) *pressed = added;
        else gscap_press_unref(added);
    }
    gst_structure_free(request);
    gscap_camera_unref(camera);
    return status;
}

static GscapStatus fail_ticket_place(void) {
    return gscap_fail(GSCAP_ERROR_ARGUMENT, "the place for the ticket is NULL");
}

GscapStatus gscap_capture(GscapCamera *camera, const GscapRequest *request, uint64_t *ticket) {
    if (!ticket) return fail_ticket_place();
    *ticket = 0;
    GstStructure *structure = gscap_request_structure(request);
    return structure ? press(camera, structure, ticket, NULL) : GSCAP_ERROR_ARGUMENT;
}

GscapStatus gscap_capture_structure(GscapCamera *camera, const GstStructure *request, uint64_t *ticket) {
    if (!ticket) return fail_ticket_place();
    *ticket = 0;
    if (!request) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the request is NULL");
    return press(camera, gst_structure_copy(request), ticket, NULL);
}

GscapStatus gscap_capture_text(GscapCamera *camera, const char *request, uint64_t *ticket) {
    if (!ticket) return fail_ticket_place();
    *ticket = 0;
    if (!gscap_is_text(request)) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the request is NULL or not valid UTF-8");
    /* GStreamer's types are registered by its initialisation, which gscap_open() may not have done yet. */
    GscapStatus status = gscap_load();
    if (status) return status;
    GstStructure *structure = gst_structure_from_string(request, NULL);
    if (!structure)
        return gscap_fail(
            GSCAP_ERROR_ARGUMENT, "the request is not a structure as \"capture, frames=(int)4\": %s", request);
    return press(camera, structure, ticket, NULL);
}

/* Returns a reference to a capture whose result was neither returned nor released, or NULL with the last error set. */
static GscapPress *find_press(GscapCamera *camera, guint64 ticket) {
    g_mutex_lock(&camera->lock);
    GscapPress *press = g_hash_table_lookup(camera->presses, &ticket);
    if (press) gscap_press_ref(press);
    g_mutex_unlock(&camera->lock);
    if (!press)
        gscap_fail(
            GSCAP_ERROR_TICKET, "there is no capture %" G_GUINT64_FORMAT ", or its result was returned or released",
            ticket);
    return press;
}

/* Waits for the end of a capture; takes the press, and returns its result, or NULL when the time has passed. */
static GscapResult *await(GscapCamera *camera, GscapPress *press, guint64 ticket, double seconds) {
    gint64 limit = g_get_monotonic_time() + (gint64)(MIN(seconds, LONGEST_WAIT) * G_TIME_SPAN_SECOND);
    gboolean is_in_time = TRUE;
    g_mutex_lock(&camera->lock);
    while (!press->is_done && is_in_time) is_in_time = g_cond_wait_until(&camera->changed, &camera->lock, limit);
    gboolean is_done = press->is_done;
    if (is_done) forget(camera, ticket);
    g_mutex_unlock(&camera->lock);
    GscapResult *result = is_done ? gscap_result_ref(press->result) : NULL;
    gscap_press_unref(press);
    return result;
}

GscapStatus gscap_wait(GscapCamera *handle, uint64_t ticket, double seconds, GscapResult **result) {
    if (!result) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the place for the result is NULL");
    *result = NULL;
    if (!(seconds >= 0)) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the time limit is not 0 or above");
    if (gscap_is_in_callback()) return gscap_fail_in_callback("gscap_wait");
    GscapCamera *camera = enter(handle);
    if (!camera) return GSCAP_ERROR_ARGUMENT;
    GscapStatus status = GSCAP_ERROR_TICKET;
    GscapPress *press = find_press(camera, ticket);
    if (press) {
        *result = await(camera, press, ticket, seconds);
        status = *result ? GSCAP_OK
                         : gscap_fail(
                               GSCAP_ERROR_TIME, "capture %" G_GUINT64_FORMAT " has not ended within %g s", ticket,
                               seconds);
    }
    gscap_camera_unref(camera);
    return status;
}

/* Returns a reference to the first photo that was made, and releases the result. */
static GscapStatus first_photo(GscapResult *result, GscapPhoto **photo) {
    const char *error = NULL;
    size_t count = gscap_result_get_photo_count(result);
    for (size_t i = 0; i < count && !*photo; i++) {
        GscapPhoto *candidate = gscap_result_get_photo(result, i);
        const char *reason = gscap_photo_get_error(candidate);
        if (!reason) *photo = gscap_photo_ref(candidate);
        else if (!error) error = reason;
    }
    GscapStatus status = GSCAP_OK;
    if (!*photo) {
        const char *reason = gscap_result_get_reason(result);
        status = gscap_fail(
            GSCAP_ERROR_CAPTURE, "%s", reason && *reason ? reason : error ? error : "the capture made no photo");
    }
    gscap_result_unref(result);
    return status ? status : gscap_succeed();
}

/* Presses, and waits for the end of this press, which a camera without kept results forgets at once. */
static GscapStatus take_photo(GscapCamera *camera, GstStructure *request, double seconds, GscapPhoto **photo) {
    uint64_t ticket = 0;
    GscapPress *pressed = NULL;
    GscapStatus status = press(camera, request, &ticket, &pressed);
    if (status) return status;
    GscapResult *result = await(camera, pressed, ticket, seconds);
    if (result) return first_photo(result, photo);
    gscap_cancel(camera, ticket);
    return gscap_fail(
        GSCAP_ERROR_TIME, "the photo was not finished within %g s, so the capture was cancelled", seconds);
}

GscapStatus gscap_take_photo(GscapCamera *handle, const GscapRequest *request, double seconds, GscapPhoto **photo) {
    if (!photo) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the place for the photo is NULL");
    *photo = NULL;
    if (!(seconds >= 0)) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the time limit is not 0 or above");
    if (gscap_is_in_callback()) return gscap_fail_in_callback("gscap_take_photo");
    GstStructure *structure = gscap_request_structure(request);
    if (!structure) return GSCAP_ERROR_ARGUMENT;
    GscapCamera *camera = enter(handle);
    GscapStatus status = GSCAP_ERROR_ARGUMENT;
    if (camera) {
        status = take_photo(camera, structure, seconds, photo);
        gscap_camera_unref(camera);
    } else {
        gst_structure_free(structure);
    }
    return status;
}

GscapStatus gscap_cancel(GscapCamera *handle, uint64_t ticket) {
    GscapCamera *camera = enter(handle);
    if (!camera) return GSCAP_ERROR_ARGUMENT;
    gboolean was_under_way = FALSE;
    g_signal_emit_by_name(camera->bin, GSCAP_SIGNAL_CANCEL, (guint64)ticket, &was_under_way);
    gscap_camera_unref(camera);
    if (was_under_way) return GSCAP_OK;
    return gscap_fail(GSCAP_ERROR_TICKET, "capture %" G_GUINT64_FORMAT " is not under way", ticket);
}

GscapStatus gscap_set_callback(GscapCamera *handle, GscapCallback callback, void *data, void (*destroy)(void *data)) {
    GscapCamera *camera = enter(handle);
    if (!camera) return GSCAP_ERROR_ARGUMENT;
    GscapListener *listener = callback ? gscap_listener_new(callback, data, destroy) : NULL;
    g_mutex_lock(&camera->lock);
    GscapListener *former = camera->listener;
    gboolean is_closing = camera->is_closing;
    if (!is_closing) camera->listener = listener;
    g_mutex_unlock(&camera->lock);
    gscap_listener_unref(is_closing ? listener : former);
    gscap_camera_unref(camera);
    return is_closing ? gscap_fail(GSCAP_ERROR_CLOSED, "the camera is being closed") : gscap_succeed();
}

static void read_admission(GscapReadiness *readiness, const GstStructure *admission) {
    const char *verdict = gst_structure_get_string(admission, GSCAP_ADMISSION_VERDICT);
    const char *reason = gst_structure_get_string(admission, GSCAP_ADMISSION_REASON);
    g_strlcpy(readiness->verdict, verdict ? verdict : "", sizeof readiness->verdict);
    g_strlcpy(readiness->reason, reason ? reason : "", sizeof readiness->reason);
    readiness->accepted = g_strcmp0(verdict, GSCAP_VERDICT_ACCEPTED) == 0;
    gscap_get_number(admission, GSCAP_ADMISSION_RETRY_AFTER, &readiness->retry_after);
    gscap_get_count(admission, GSCAP_ADMISSION_FRAME_BYTES, &readiness->frame_bytes);
    gscap_get_count(admission, GSCAP_ADMISSION_QUEUED_BYTES, &readiness->queued_bytes);
    gst_structure_get_int(admission, GSCAP_ADMISSION_RING_FRAMES, &readiness->ring_frames);
}

/* Fills the answer of a camera that has failed or is being closed; returns whether it has. */
static gboolean is_over(GscapCamera *camera, GscapReadiness *readiness) {
    g_mutex_lock(&camera->lock);
    gboolean is_over = camera->is_closing || camera->failure;
    if (is_over) {
        g_strlcpy(readiness->verdict, GSCAP_VERDICT_CLOSED, sizeof readiness->verdict);
        g_strlcpy(
            readiness->reason, camera->failure ? camera->failure : "the camera is being closed",
            sizeof readiness->reason);
    }
    g_mutex_unlock(&camera->lock);
    return is_over;
}

GscapStatus gscap_get_readiness(GscapCamera *handle, const GscapRequest *request, GscapReadiness *readiness) {
    GscapReadiness filled = GSCAP_READINESS_INIT, given;
    if (!gscap_copy_struct(&given, sizeof given, readiness))
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "the readiness is NULL or not initialised with GSCAP_READINESS_INIT");
    GscapCamera *camera = enter(handle);
    if (!camera) return GSCAP_ERROR_ARGUMENT;
    GstStructure *structure = gscap_request_structure(request), *admission = NULL;
    GscapStatus status = structure ? GSCAP_OK : GSCAP_ERROR_ARGUMENT;
    if (structure && !is_over(camera, &filled)) {
        g_signal_emit_by_name(camera->bin, GSCAP_SIGNAL_ADMISSION, structure, &admission);
        if (admission) read_admission(&filled, admission);
        else status = gscap_fail(GSCAP_ERROR_PLUGIN, "the element %s gave no answer", GSCAP_ELEMENT);
    }
    if (structure) gst_structure_free(structure);
    if (admission) gst_structure_free(admission);
    if (!status) *readiness = filled;
    gscap_camera_unref(camera);
    return status;
}

/* Reads a property that counts; 0 if there is none. */
static guint64 count_of(GstElement *bin, const char *property) {
    double number = 0;
    gscap_get_property(bin, property, &number);
    return number > 0 ? (guint64)number : 0;
}

/* Reads a property in seconds; NAN before the first photo, for which it is negative. */
static double seconds_of(GstElement *bin, const char *property) {
    double seconds = NAN;
    return gscap_get_property(bin, property, &seconds) && seconds >= 0 ? seconds : NAN;
}

GscapStatus gscap_get_metrics(GscapCamera *handle, GscapMetrics *metrics) {
    GscapMetrics filled = GSCAP_METRICS_INIT, given;
    if (!gscap_copy_struct(&given, sizeof given, metrics))
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "the metrics are NULL or not initialised with GSCAP_METRICS_INIT");
    GscapCamera *camera = enter(handle);
    if (!camera) return GSCAP_ERROR_ARGUMENT;
    filled.waiting = (unsigned)count_of(camera->bin, GSCAP_PROPERTY_WAITING);
    filled.refused = count_of(camera->bin, GSCAP_PROPERTY_REFUSED);
    filled.dropped_frames = count_of(camera->bin, GSCAP_PROPERTY_DROPPED_FRAMES);
    filled.bytes_held = count_of(camera->bin, GSCAP_PROPERTY_BYTES_HELD);
    filled.photo_age = seconds_of(camera->bin, GSCAP_PROPERTY_PHOTO_AGE);
    filled.photo_latency = seconds_of(camera->bin, GSCAP_PROPERTY_PHOTO_LATENCY);
    *metrics = filled;
    gscap_camera_unref(camera);
    return GSCAP_OK;
}
