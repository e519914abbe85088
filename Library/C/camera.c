/* camera.c: opening, attaching and closing cameras. */
#include "gscap-private.h"

#include <string.h>

/* The longest time that gscap_close() waits for callbacks. */
#define CALLBACK_LIMIT (10 * G_TIME_SPAN_SECOND)

GscapCamera *gscap_camera_ref(GscapCamera *camera) {
    g_atomic_int_inc(&camera->handle.references);
    return camera;
}

void gscap_camera_unref(gpointer data) {
    GscapCamera *camera = data;
    if (!g_atomic_int_dec_and_test(&camera->handle.references)) return;
    g_clear_object(&camera->bin);
    g_clear_object(&camera->pipeline);
    g_clear_object(&camera->branch);
    g_clear_object(&camera->pad);
    g_clear_object(&camera->tee);
    gscap_listener_unref(camera->listener);
    g_hash_table_unref(camera->presses);
    g_queue_clear_full(&camera->finished, g_free);
    g_free(camera->failure);
    g_mutex_clear(&camera->lock);
    g_cond_clear(&camera->changed);
    g_free(camera);
}

/* Returns a camera that is not a valid handle yet. */
static GscapCamera *new_camera(GstElement *bin, const GscapOptions *options) {
    GscapCamera *camera = g_new0(GscapCamera, 1);
    camera->handle.references = 1;
    g_mutex_init(&camera->lock);
    g_cond_init(&camera->changed);
    g_queue_init(&camera->finished);
    camera->presses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, gscap_press_unref);
    camera->bin = gst_object_ref(bin);
    camera->kept_results = options->kept_results;
    return camera;
}

/* Begins a function that makes a camera: checks the arguments and the plugin. */
static GscapStatus begin(
    const char *function, const GscapOptions *given, GscapOptions *options, GscapCamera **camera
) {
    GscapOptions defaults = GSCAP_OPTIONS_INIT;
    if (!camera) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the place for the camera is NULL");
    *camera = NULL;
    *options = defaults;
    if (given && !gscap_copy_struct(options, sizeof *options, given))
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "the options are not initialised with GSCAP_OPTIONS_INIT");
    if (!(options->start_limit >= 0 && options->start_limit <= 86400))
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "start_limit is not between 0 and 86400 seconds");
    if (gscap_is_in_callback()) return gscap_fail_in_callback(function);
    gscap_succeed();
    return gscap_load();
}

/* ---- Changes between the buffers and states of another program's pipeline ---- */

/* The longest wait for a lock or a stream whose owner may itself wait for this thread, in microseconds. */
#define PIPELINE_LIMIT G_USEC_PER_SEC

/* Locks a lock of an element or pad; returns whether that was within the limit. */
static gboolean lock_within_limit(GRecMutex *lock) {
    gint64 limit = g_get_monotonic_time() + PIPELINE_LIMIT;
    while (!g_rec_mutex_trylock(lock)) {
        if (g_get_monotonic_time() >= limit) return FALSE;
        g_usleep(500);
    }
    return TRUE;
}

/* The unlinking of a branch on the thread of the stream or of the caller; freed when both have released it. */
typedef struct {
    gatomicrefcount references;
    GstPad *sink;
    GMutex lock;
    GCond changed;
    gboolean is_over;
} Unlinking;

static void unlinking_unref(gpointer data) {
    Unlinking *unlinking = data;
    if (!g_atomic_ref_count_dec(&unlinking->references)) return;
    gst_object_unref(unlinking->sink);
    g_mutex_clear(&unlinking->lock);
    g_cond_clear(&unlinking->changed);
    g_free(unlinking);
}

static GstPadProbeReturn unlink_idle(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)info;
    Unlinking *unlinking = data;
    gst_pad_unlink(pad, unlinking->sink);
    g_mutex_lock(&unlinking->lock);
    unlinking->is_over = TRUE;
    g_cond_signal(&unlinking->changed);
    g_mutex_unlock(&unlinking->lock);
    return GST_PAD_PROBE_REMOVE;
}

/* Unlinks a pad from a branch while neither a buffer nor an event passes it. One that reaches a branch which has
 * stopped is refused, and the refusal ends the program's stream if the pad stays. */
static void unlink_between_buffers(GstPad *pad, GstPad *sink) {
    Unlinking *unlinking = g_new0(Unlinking, 1);
    g_atomic_ref_count_init(&unlinking->references);
    unlinking->sink = gst_object_ref(sink);
    g_mutex_init(&unlinking->lock);
    g_cond_init(&unlinking->changed);
    g_atomic_ref_count_inc(&unlinking->references);
    gulong probe = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_IDLE, unlink_idle, unlinking, unlinking_unref);
    gint64 limit = g_get_monotonic_time() + PIPELINE_LIMIT;
    g_mutex_lock(&unlinking->lock);
    gboolean is_in_time = TRUE;
    while (!unlinking->is_over && is_in_time)
        is_in_time = g_cond_wait_until(&unlinking->changed, &unlinking->lock, limit);
    is_in_time = unlinking->is_over;
    g_mutex_unlock(&unlinking->lock);
    if (!is_in_time) {
        gst_pad_remove_probe(pad, probe);
        gst_pad_unlink(pad, sink);
    }
    unlinking_unref(unlinking);
}

/* Requests a pad of a tee while neither a buffer nor an event passes the tee: it forwards an event before it stores it,
 * so a pad that is requested in between lacks the event. Returns NULL if the element has no such pads. */
static GstPad *request_between_buffers(GstElement *tee) {
    GstPad *input = gst_element_get_static_pad(tee, "sink");
    gboolean is_locked = input && lock_within_limit(GST_PAD_GET_STREAM_LOCK(input));
    GstPad *pad = gst_element_request_pad_simple(tee, "src_%u");
    if (is_locked) GST_PAD_STREAM_UNLOCK(input);
    g_clear_object(&input);
    return pad;
}

/* Stops what the camera has added to a pipeline, and no longer receives messages. */
static void dismantle(GscapCamera *camera) {
    if (camera->branch) {
        GstObject *parent = gst_object_get_parent(GST_OBJECT(camera->branch));
        GstPad *sink = gst_element_get_static_pad(camera->branch, "sink");
        gst_element_set_locked_state(camera->branch, TRUE);
        if (camera->pad) unlink_between_buffers(camera->pad, sink);
        gst_object_unref(sink);
        if (camera->tee) gst_element_release_request_pad(camera->tee, camera->pad);
        gst_element_set_state(camera->branch, GST_STATE_NULL);
        if (parent) gst_bin_remove(GST_BIN(parent), camera->branch);
        g_clear_object(&parent);
        g_clear_object(&camera->branch); /* the branch has a reference to the camera */
    }
    if (camera->pipeline) {
        gst_element_set_state(camera->pipeline, GST_STATE_NULL);
        GstBus *bus = gst_element_get_bus(camera->pipeline);
        gst_bus_set_sync_handler(bus, NULL, NULL, NULL);
        gst_object_unref(bus);
    }
    if (camera->handler) g_signal_handler_disconnect(camera->bin, camera->handler);
    camera->handler = 0;
}

/* Removes a camera that could not be opened; returns the status. */
static GscapStatus abandon(GscapCamera *camera, GscapStatus status) {
    camera->is_closing = TRUE;
    dismantle(camera);
    gscap_camera_unref(camera);
    return status;
}

/* ---- gscap_open ---- */

/* Keeps the first error of a pipeline that gscap_open() started; other messages are discarded. */
static GstBusSyncReply watch(GstBus *bus, GstMessage *message, gpointer camera) {
    (void)bus;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
        GError *error = NULL;
        gst_message_parse_error(message, &error, NULL);
        char *reason = g_strdup_printf("%s: %s", GST_OBJECT_NAME(GST_MESSAGE_SRC(message)), error->message);
        gscap_camera_failed(camera, reason);
        g_free(reason);
        g_error_free(error);
    }
    gst_message_unref(message);
    return GST_BUS_DROP;
}

/* Returns a new reference to the first gscapphotobin in a bin, or NULL. */
static GstElement *find_bin(GstBin *pipeline) {
    GstIterator *iterator = gst_bin_iterate_all_by_element_factory_name(pipeline, GSCAP_ELEMENT);
    GValue value = G_VALUE_INIT;
    GstElement *found = NULL;
    if (gst_iterator_next(iterator, &value) == GST_ITERATOR_OK) {
        found = g_value_dup_object(&value);
        g_value_unset(&value);
    }
    gst_iterator_free(iterator);
    return found;
}

/* Parses a text; returns a new reference to a pipeline, or NULL with the last error set. */
static GstElement *parse(const char *text) {
    GError *error = NULL;
    char *complete = g_strconcat(text, strstr(text, GSCAP_ELEMENT) ? NULL : " ! " GSCAP_ELEMENT, NULL);
    GstElement *parsed = gst_parse_launch_full(complete, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
    g_free(complete);
    if (!parsed || error) {
        gscap_fail(GSCAP_ERROR_PIPELINE, "the pipeline: %s", error ? error->message : "it has no element");
        g_clear_error(&error);
        if (parsed) gst_object_unref(gst_object_ref_sink(parsed));
        return NULL;
    }
    gst_object_ref_sink(parsed);
    if (GST_IS_PIPELINE(parsed)) return parsed;
    GstElement *pipeline = gst_object_ref_sink(gst_pipeline_new(NULL));
    gst_bin_add(GST_BIN(pipeline), parsed);
    gst_object_unref(parsed);
    return pipeline;
}

static GscapStatus start(GscapCamera *camera, double limit) {
    GstBus *bus = gst_element_get_bus(camera->pipeline);
    gst_bus_set_sync_handler(bus, watch, gscap_camera_ref(camera), gscap_camera_unref);
    gst_object_unref(bus);
    GstStateChangeReturn change = gst_element_set_state(camera->pipeline, GST_STATE_PLAYING);
    if (change == GST_STATE_CHANGE_ASYNC)
        change = gst_element_get_state(camera->pipeline, NULL, NULL, (GstClockTime)(limit * GST_SECOND));
    g_mutex_lock(&camera->lock);
    char *failure = g_strdup(camera->failure);
    g_mutex_unlock(&camera->lock);
    GscapStatus status = GSCAP_OK;
    if (failure || change == GST_STATE_CHANGE_FAILURE)
        status = gscap_fail(
            GSCAP_ERROR_CAMERA, "the pipeline does not start: %s", failure ? failure : "an element gives no reason");
    else if (change == GST_STATE_CHANGE_ASYNC)
        status = gscap_fail(
            GSCAP_ERROR_CAMERA, "the pipeline has not started within %g s: no frame has come, or a sink waits", limit);
    g_free(failure);
    return status;
}

GscapStatus gscap_open(const char *text, const GscapOptions *given, GscapCamera **result) {
    GscapOptions options;
    GscapStatus status = begin("gscap_open", given, &options, result);
    if (status) return status;
    if (!gscap_is_text(text)) return gscap_fail(GSCAP_ERROR_ARGUMENT, "the pipeline is NULL or not valid UTF-8");
    if (text[strspn(text, " \t\n")] == 0) return gscap_fail(GSCAP_ERROR_PIPELINE, "the pipeline is empty");
    GstElement *pipeline = parse(text);
    if (!pipeline) return GSCAP_ERROR_PIPELINE;
    GstElement *bin = find_bin(GST_BIN(pipeline));
    if (!bin) {
        gst_object_unref(pipeline);
        return gscap_fail(GSCAP_ERROR_PIPELINE, "the pipeline has no element %s", GSCAP_ELEMENT);
    }
    GscapCamera *camera = new_camera(bin, &options);
    camera->pipeline = pipeline;
    gst_object_unref(bin);
    status = gscap_apply_options(camera->bin, &options);
    if (!status && !gscap_listen(camera)) status = GSCAP_ERROR_PLUGIN;
    if (!status) status = start(camera, options.start_limit);
    if (status) return abandon(camera, status);
    gscap_handle_add(camera, GSCAP_HANDLE_CAMERA);
    *result = camera;
    return GSCAP_OK;
}

/* ---- gscap_attach ---- */

/* Returns a new reference to the bin that contains the pad's element, or NULL with the last error set. */
static GstBin *bin_around(GstPad *pad) {
    if (gst_pad_is_linked(pad)) {
        gscap_fail(
            GSCAP_ERROR_LINK, "the pad %s is linked already: give it a tee, and attach to a new pad of that",
            GST_OBJECT_NAME(pad));
        return NULL;
    }
    GstElement *element = gst_pad_get_parent_element(pad);
    GstObject *parent = element ? gst_object_get_parent(GST_OBJECT(element)) : NULL;
    g_clear_object(&element);
    if (parent && GST_IS_BIN(parent)) return GST_BIN(parent);
    g_clear_object(&parent);
    gscap_fail(GSCAP_ERROR_LINK, "the pad %s belongs to no pipeline", GST_OBJECT_NAME(pad));
    return NULL;
}

static GscapStatus fail_link(GstPad *pad, GstPad *sink) {
    GstCaps *given = gst_pad_query_caps(pad, NULL), *taken = gst_pad_query_caps(sink, NULL);
    char *has = gst_caps_to_string(given), *needs = gst_caps_to_string(taken);
    GscapStatus status = gscap_fail(
        GSCAP_ERROR_LINK, "the pad %s cannot be linked to a photo branch: it gives %s, and raw frames are %s",
        GST_OBJECT_NAME(pad), has, needs);
    g_free(has);
    g_free(needs);
    gst_caps_unref(given);
    gst_caps_unref(taken);
    return status;
}

/* Adds the branch to the bin, brings it to the bin's state, and then links it: an element that does not run refuses
 * frames, which ends the program's stream. */
static GscapStatus join_in_state(GscapCamera *camera, GstBin *bin, GstPad *pad) {
    if (!gst_bin_add(bin, camera->branch))
        return gscap_fail(GSCAP_ERROR_LINK, "the bin %s takes no more elements", GST_OBJECT_NAME(bin));
    if (!gst_element_sync_state_with_parent(camera->branch)) {
        g_mutex_lock(&camera->lock);
        char *failure = g_strdup(camera->failure);
        g_mutex_unlock(&camera->lock);
        gscap_fail(
            GSCAP_ERROR_CAMERA, "the photo branch does not start: %s", failure ? failure : "it gives no reason");
        g_free(failure);
        return GSCAP_ERROR_CAMERA;
    }
    GstPad *sink = gst_element_get_static_pad(camera->branch, "sink");
    GscapStatus status = GSCAP_OK;
    if (GST_PAD_LINK_FAILED(gst_pad_link(pad, sink))) status = fail_link(pad, sink);
    gst_object_unref(sink);
    if (!status) camera->pad = gst_object_ref(pad);
    return status;
}

/* Joins the branch to the bin between two changes of the bin's state, which would otherwise leave the branch in the
 * state before them. */
static GscapStatus join(GscapCamera *camera, GstBin *bin, GstPad *pad) {
    gboolean is_locked = lock_within_limit(GST_STATE_GET_LOCK(bin));
    GscapStatus status = join_in_state(camera, bin, pad);
    if (is_locked)
        GST_STATE_UNLOCK(bin);
    else if (!status)
        gst_element_sync_state_with_parent(camera->branch);
    return status;
}

static GscapStatus attach(GstPad *pad, GstElement *tee, const GscapOptions *options, GscapCamera **result) {
    if (!GST_IS_PAD(pad) || gst_pad_get_direction(pad) != GST_PAD_SRC)
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not a source pad");
    GstBin *parent = bin_around(pad);
    if (!parent) return GSCAP_ERROR_LINK;
    GstElement *bin = gscap_make_bin();
    GscapStatus status = bin ? gscap_apply_options(bin, options) : GSCAP_ERROR_PLUGIN;
    if (status) {
        if (bin) gst_object_unref(gst_object_ref_sink(bin));
        gst_object_unref(parent);
        return status;
    }
    GscapCamera *camera = new_camera(bin, options);
    camera->branch = gscap_branch_new(bin, gscap_camera_failed, gscap_camera_ref(camera), gscap_camera_unref);
    if (!camera->branch) {
        gscap_camera_unref(camera);
        status = GSCAP_ERROR_PLUGIN;
    } else {
        gst_object_ref_sink(camera->branch);
        status = gscap_listen(camera) ? join(camera, parent, pad) : GSCAP_ERROR_PLUGIN;
        if (status) abandon(camera, status);
    }
    gst_object_unref(parent);
    if (status) return status;
    if (tee) camera->tee = gst_object_ref(tee);
    gscap_handle_add(camera, GSCAP_HANDLE_CAMERA);
    *result = camera;
    return GSCAP_OK;
}

GscapStatus gscap_attach(GstPad *pad, const GscapOptions *given, GscapCamera **result) {
    GscapOptions options;
    GscapStatus status = begin("gscap_attach", given, &options, result);
    return status ? status : attach(pad, NULL, &options, result);
}

GscapStatus gscap_attach_tee(GstElement *tee, const GscapOptions *given, GscapCamera **result) {
    GscapOptions options;
    GscapStatus status = begin("gscap_attach_tee", given, &options, result);
    if (status) return status;
    GstPad *pad = GST_IS_ELEMENT(tee) ? request_between_buffers(tee) : NULL;
    if (!pad) return gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not an element with request pads src_%%u, as a tee");
    status = attach(pad, tee, &options, result);
    if (status) gst_element_release_request_pad(tee, pad);
    gst_object_unref(pad);
    return status;
}

GscapStatus gscap_use_element(GstElement *photobin, const GscapOptions *given, GscapCamera **result) {
    GscapOptions options;
    GscapStatus status = begin("gscap_use_element", given, &options, result);
    if (status) return status;
    GstElementFactory *factory = GST_IS_ELEMENT(photobin) ? gst_element_get_factory(photobin) : NULL;
    if (!factory || g_strcmp0(GST_OBJECT_NAME(factory), GSCAP_ELEMENT) != 0)
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not an element %s", GSCAP_ELEMENT);
    status = gscap_apply_options(photobin, &options);
    if (status) return status;
    GscapCamera *camera = new_camera(photobin, &options);
    if (!gscap_listen(camera)) return abandon(camera, GSCAP_ERROR_PLUGIN);
    gscap_handle_add(camera, GSCAP_HANDLE_CAMERA);
    *result = camera;
    return GSCAP_OK;
}

/* ---- Access and gscap_close ---- */

static GscapStatus fail_handle(void) {
    return gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not a camera: it is NULL or was closed");
}

GstElement *gscap_get_element(GscapCamera *handle) {
    GscapCamera *camera = gscap_handle_ref(handle, GSCAP_HANDLE_CAMERA);
    if (!camera) return fail_handle(), NULL;
    GstElement *element = gst_object_ref(camera->bin);
    gscap_succeed();
    gscap_camera_unref(camera);
    return element;
}

GstElement *gscap_get_pipeline(GscapCamera *handle) {
    GscapCamera *camera = gscap_handle_ref(handle, GSCAP_HANDLE_CAMERA);
    if (!camera) return fail_handle(), NULL;
    GstElement *pipeline = camera->pipeline ? gst_object_ref(camera->pipeline) : NULL;
    gscap_succeed();
    gscap_camera_unref(camera);
    return pipeline;
}

/* Waits until another gscap_close() has finished and no callback runs; returns whether that was within the limit. */
static gboolean await_callbacks(GscapCamera *camera) {
    gint64 limit = g_get_monotonic_time() + CALLBACK_LIMIT;
    gboolean is_idle = TRUE;
    g_mutex_lock(&camera->lock);
    while ((camera->calls > 0 || !camera->is_dismantled) && is_idle)
        is_idle = g_cond_wait_until(&camera->changed, &camera->lock, limit);
    is_idle = camera->calls == 0 && camera->is_dismantled;
    g_mutex_unlock(&camera->lock);
    return is_idle;
}

GscapStatus gscap_close(GscapCamera *handle) {
    if (gscap_is_in_callback()) return gscap_fail_in_callback("gscap_close");
    GscapCamera *camera = gscap_handle_ref(handle, GSCAP_HANDLE_CAMERA);
    if (!camera) return fail_handle();
    g_mutex_lock(&camera->lock);
    gboolean is_first = !camera->is_closing;
    camera->is_closing = TRUE;
    g_mutex_unlock(&camera->lock);
    if (is_first) {
        dismantle(camera);
        gscap_end_captures(camera, GSCAP_RESULT_CANCELLED, "the camera was closed");
        g_mutex_lock(&camera->lock);
        camera->is_dismantled = TRUE;
        g_cond_broadcast(&camera->changed);
        g_mutex_unlock(&camera->lock);
    }
    GscapStatus status = GSCAP_OK;
    if (!await_callbacks(camera))
        status = gscap_fail(GSCAP_ERROR_TIME, "a callback has not returned within 10 s: call gscap_close again");
    else if (gscap_handle_retire(camera, GSCAP_HANDLE_CAMERA))
        gscap_camera_unref(camera);
    gscap_camera_unref(camera);
    return status ? status : gscap_succeed();
}
