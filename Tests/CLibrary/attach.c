/* attach.c: photo branches in the pipeline of another program. */
#include "check.h"

#define STREAM CAMERA " ! tee name=tee ! queue ! fakesink name=watch signal-handoffs=true sync=false"

/* The frames that the program's stream has received, and those of them that do not follow the frame before. */
typedef struct {
    GMutex lock;
    GCond changed;
    GQueue entered; /* the frames that have entered the tee and not reached the sink */
    guint64 frames, lost;
} Watch;

static guint64 *new_number_of(GstBuffer *buffer) {
    guint64 number = 0;
    GstCustomMeta *meta = gst_buffer_get_custom_meta(buffer, GSCAP_META_NAME);
    if (meta) gst_structure_get_uint64(gst_custom_meta_get_structure(meta), GSCAP_META_FRAME_NUMBER, &number);
    return g_memdup2(&number, sizeof number);
}

/* Notes a frame before the tee: the camera itself leaves frames out when the machine is too slow for it. */
static GstPadProbeReturn note(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    Watch *watch = data;
    g_mutex_lock(&watch->lock);
    g_queue_push_tail(&watch->entered, new_number_of(GST_PAD_PROBE_INFO_BUFFER(info)));
    g_mutex_unlock(&watch->lock);
    return GST_PAD_PROBE_OK;
}

static void handoff(GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data) {
    (void)sink;
    (void)pad;
    Watch *watch = data;
    guint64 *number = new_number_of(buffer);
    g_mutex_lock(&watch->lock);
    guint64 *expected = g_queue_pop_head(&watch->entered);
    if (!expected || *expected != *number) watch->lost++;
    watch->frames++;
    g_cond_broadcast(&watch->changed);
    g_mutex_unlock(&watch->lock);
    g_free(expected);
    g_free(number);
}

/* Waits until the stream has received a number of frames in all. The lock is held. */
static void await_locked(Watch *watch, guint64 total) {
    gint64 limit = g_get_monotonic_time() + (gint64)(LIMIT * 1e6);
    while (watch->frames < total) CHECK(g_cond_wait_until(&watch->changed, &watch->lock, limit));
}

static void await_total(Watch *watch, guint64 total) {
    g_mutex_lock(&watch->lock);
    await_locked(watch, total);
    g_mutex_unlock(&watch->lock);
}

/* Waits for a number of further frames. */
static void await_frames(Watch *watch, guint64 count) {
    g_mutex_lock(&watch->lock);
    await_locked(watch, watch->frames + count);
    g_mutex_unlock(&watch->lock);
}

static GstElement *new_stream(const char *text, Watch *watch) {
    gst_init(NULL, NULL);
    GstElement *pipeline = gst_parse_launch(text, NULL);
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "watch");
    CHECK(pipeline && sink);
    g_signal_connect(sink, "handoff", G_CALLBACK(handoff), watch);
    gst_object_unref(sink);
    GstElement *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    GstPad *entry = gst_element_get_static_pad(tee, "sink");
    gst_pad_add_probe(entry, GST_PAD_PROBE_TYPE_BUFFER, note, watch, NULL);
    gst_object_unref(entry);
    gst_object_unref(tee);
    return pipeline;
}

/* Stops a pipeline, and checks that its bus has messages of captures, as many as expected, and no errors. */
static void stop(GstElement *pipeline, Watch *watch, guint captures) {
    GstBus *bus = gst_element_get_bus(pipeline);
    guint done = 0;
    for (GstMessage *message; (message = gst_bus_pop(bus)); gst_message_unref(message)) {
        CHECK(GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR);
        const GstStructure *fields = gst_message_get_structure(message);
        if (fields && gst_structure_has_name(fields, GSCAP_MESSAGE))
            done += g_strcmp0(gst_structure_get_string(fields, GSCAP_FIELD_EVENT), GSCAP_EVENT_DONE) == 0;
    }
    CHECK(done >= captures);
    gst_object_unref(bus);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
    if (watch) g_queue_clear_full(&watch->entered, g_free);
}

static void take(GscapCamera *camera) {
    GscapPhoto *photo = NULL;
    size_t size = 0;
    EXPECT(GSCAP_OK, gscap_take_photo(camera, NULL, LIMIT, &photo));
    CHECK(gscap_photo_get_bytes(photo, &size) && size > 100);
    gscap_photo_unref(photo);
}

/* Attaches and detaches while the stream plays, half of the times with a capture under way; no frame is lost. */
static void check_cycles(void) {
    Watch watch = {0};
    GstElement *pipeline = new_stream(STREAM, &watch), *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    await_frames(&watch, 1);
    for (int i = 0; i < number_from("GSCAP_CLIB_CYCLES", 6); i++) {
        GscapCamera *camera = NULL, *second = NULL;
        uint64_t ticket = 0;
        EXPECT(GSCAP_OK, gscap_attach_tee(tee, NULL, &camera));
        CHECK(!gscap_get_pipeline(camera));
        if (i == 0) EXPECT(GSCAP_OK, gscap_attach_tee(tee, NULL, &second));
        take(camera);
        if (second) take(second);
        if (i % 2 == 1)
            EXPECT(GSCAP_OK, gscap_capture_text(camera, "capture, frames=(int)64", &ticket));
        EXPECT(GSCAP_OK, gscap_close(camera));
        if (second) EXPECT(GSCAP_OK, gscap_close(second));
        CHECK(GST_ELEMENT(tee)->numsrcpads == 1);
        await_frames(&watch, 1);
    }
    CHECK(watch.lost == 0);
    gst_object_unref(tee);
    stop(pipeline, &watch, 4);
}

/* Attaches in each state of the pipeline, and takes photos when it plays. */
static void check_states(void) {
    static const GstState states[] = {GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        Watch watch = {0};
        GstElement *pipeline = new_stream(STREAM, &watch), *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
        GscapCamera *camera = NULL;
        uint64_t ticket = 0;
        gst_element_set_state(pipeline, states[i]);
        GstPad *pad = gst_element_request_pad_simple(tee, "src_%u");
        EXPECT(GSCAP_OK, gscap_attach(pad, NULL, &camera));
        if (states[i] < GST_STATE_PAUSED)
            EXPECT(GSCAP_ERROR_REFUSED, gscap_capture_text(camera, "capture", &ticket));
        gst_element_set_state(pipeline, GST_STATE_PLAYING);
        await_frames(&watch, 1);
        take(camera);
        /* The program may stop its pipeline first. */
        if (i == 0) gst_element_set_state(pipeline, GST_STATE_NULL);
        EXPECT(GSCAP_OK, gscap_close(camera));
        gst_element_release_request_pad(tee, pad);
        gst_object_unref(pad);
        gst_object_unref(tee);
        stop(pipeline, &watch, 0);
    }
}

/* Delays a frame that enters a branch, as a busy machine may. */
static GstPadProbeReturn delay(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    (void)info;
    g_atomic_int_set((gint *)data, TRUE);
    g_usleep(100000);
    return GST_PAD_PROBE_OK;
}

/* A camera closes while a frame enters its branch, and the program keeps the pad: the stream goes on. */
static void check_frame_on_its_way(void) {
    Watch watch = {0};
    GstElement *pipeline = new_stream(STREAM, &watch), *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    GstPad *pad = gst_element_request_pad_simple(tee, "src_%u");
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    for (int i = 0; i < 3; i++) {
        GscapCamera *camera = NULL;
        gint is_entering = FALSE;
        EXPECT(GSCAP_OK, gscap_attach(pad, NULL, &camera));
        GstPad *sink = gst_pad_get_peer(pad);
        gst_pad_add_probe(sink, GST_PAD_PROBE_TYPE_BUFFER, delay, &is_entering, NULL);
        gst_object_unref(sink);
        while (!g_atomic_int_get(&is_entering)) g_usleep(1000);
        EXPECT(GSCAP_OK, gscap_close(camera));
        await_frames(&watch, 3);
        CHECK(!gst_pad_is_linked(pad));
    }
    CHECK(watch.lost == 0);
    gst_element_release_request_pad(tee, pad);
    gst_object_unref(pad);
    gst_object_unref(tee);
    stop(pipeline, &watch, 0);
}

static gint is_changing;

/* Changes the state of a pipeline until is_changing is false. */
static gpointer change_states(gpointer pipeline) {
    static const GstState states[] = {GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_READY, GST_STATE_PLAYING};
    for (int i = 0; g_atomic_int_get(&is_changing); i++) {
        gst_element_set_state(pipeline, states[i % 4]);
        g_usleep(1000);
    }
    return NULL;
}

/* Attaches and closes while another thread changes the pipeline's state: afterwards the stream goes on. */
static void check_changes(void) {
    for (int i = 0; i < number_from("GSCAP_CLIB_CYCLES", 6); i++) {
        Watch watch = {0};
        GstElement *pipeline = new_stream(STREAM, &watch), *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
        g_atomic_int_set(&is_changing, TRUE);
        GThread *thread = g_thread_new("states", change_states, pipeline);
        GscapCamera *camera = NULL;
        for (int k = 0; k < 4; k++) {
            if (camera) EXPECT(GSCAP_OK, gscap_close(camera));
            EXPECT(GSCAP_OK, gscap_attach_tee(tee, NULL, &camera));
        }
        g_atomic_int_set(&is_changing, FALSE);
        g_thread_join(thread);
        gst_element_set_state(pipeline, GST_STATE_PLAYING);
        await_frames(&watch, 3);
        take(camera);
        EXPECT(GSCAP_OK, gscap_close(camera));
        gst_object_unref(tee);
        stop(pipeline, &watch, 1);
    }
}

static void check_refusals(void) {
    Watch watch = {0};
    GstElement *pipeline = new_stream(STREAM, &watch), *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    GscapCamera *camera = NULL;
    GstPad *linked = gst_element_get_static_pad(tee, "src_0"), *sink = gst_element_get_static_pad(tee, "sink");
    GstElement *loose = gst_object_ref_sink(gst_element_factory_make("fakesrc", NULL));
    GstPad *free_pad = gst_element_get_static_pad(loose, "src");
    EXPECT(GSCAP_ERROR_LINK, gscap_attach(linked, NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_attach(sink, NULL, &camera));
    EXPECT(GSCAP_ERROR_LINK, gscap_attach(free_pad, NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_attach_tee(loose, NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_use_element(loose, NULL, &camera));
    gst_object_unref(free_pad);
    gst_object_unref(loose);
    gst_object_unref(sink);
    gst_object_unref(linked);
    gst_object_unref(tee);
    gst_object_unref(pipeline);
    pipeline = gst_parse_launch("audiotestsrc ! tee name=tee ! fakesink", NULL);
    tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    EXPECT(GSCAP_ERROR_LINK, gscap_attach_tee(tee, NULL, &camera));
    CHECK(GST_ELEMENT(tee)->numsrcpads == 1 && GST_BIN(pipeline)->numchildren == 3);
    gst_object_unref(tee);
    gst_object_unref(pipeline);
}

/* Waits until a press would be answered so. */
static void await_verdict(GscapCamera *camera, const char *verdict) {
    gint64 limit = g_get_monotonic_time() + (gint64)(LIMIT * 1e6);
    GscapReadiness readiness = GSCAP_READINESS_INIT;
    do {
        EXPECT(GSCAP_OK, gscap_get_readiness(camera, NULL, &readiness));
        if (strcmp(readiness.verdict, verdict) == 0) return;
        g_usleep(2000);
    } while (g_get_monotonic_time() < limit);
    CHECK(!"the verdict within the limit");
}

/* A stream whose frames turn out not to be raw goes on, and the branch says why it takes no photos. */
static void check_shield(void) {
    Watch watch = {0};
    GstElement *pipeline = new_stream(
        "appsrc name=app ! tee name=tee ! queue ! fakesink name=watch signal-handoffs=true sync=false", &watch);
    GstElement *tee = gst_bin_get_by_name(GST_BIN(pipeline), "tee");
    GstElement *app = gst_bin_get_by_name(GST_BIN(pipeline), "app");
    GscapCamera *camera = NULL;
    GscapReadiness readiness = GSCAP_READINESS_INIT;
    uint64_t ticket = 0;
    EXPECT(GSCAP_OK, gscap_attach_tee(tee, NULL, &camera));
    GstCaps *caps = gst_caps_from_string("video/x-raw,format=RGB,width=2,height=2,framerate=1/1");
    g_object_set(app, "caps", caps, NULL);
    gst_caps_unref(caps);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    for (int i = 0; i < 5; i++) {
        GstFlowReturn flow = GST_FLOW_OK;
        GstBuffer *buffer = gst_buffer_new_allocate(NULL, 16, NULL);
        g_signal_emit_by_name(app, "push-buffer", buffer, &flow);
        gst_buffer_unref(buffer);
        CHECK(flow == GST_FLOW_OK);
        await_total(&watch, (guint64)i + 1);
    }
    await_verdict(camera, GSCAP_VERDICT_CLOSED);
    EXPECT(GSCAP_ERROR_REFUSED, gscap_capture_text(camera, "capture", &ticket));
    CHECK(strstr(gscap_last_error(), "video/x-raw"));
    EXPECT(GSCAP_OK, gscap_get_readiness(camera, NULL, &readiness));
    CHECK(!readiness.accepted && strcmp(readiness.verdict, GSCAP_VERDICT_CLOSED) == 0 && *readiness.reason);
    EXPECT(GSCAP_OK, gscap_close(camera));
    gst_object_unref(tee);
    gst_object_unref(app);
    stop(pipeline, &watch, 0);
}

/* An element that the program has put into its pipeline; another one in the text of gscap_open(). */
static void check_own_element(void) {
    gst_init(NULL, NULL);
    GstElement *pipeline = gst_parse_launch(CAMERA " ! gscapphotobin name=photos", NULL);
    GstElement *element = gst_bin_get_by_name(GST_BIN(pipeline), "photos");
    GscapCamera *camera = NULL;
    uint64_t ticket = 0;
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    EXPECT(GSCAP_OK, gscap_use_element(element, NULL, &camera));
    take(camera);
    EXPECT(GSCAP_OK, gscap_capture_text(camera, "capture, frames=(int)64", &ticket));
    EXPECT(GSCAP_OK, gscap_close(camera));
    EXPECT(GSCAP_OK, gscap_use_element(element, NULL, &camera));
    take(camera);
    EXPECT(GSCAP_OK, gscap_close(camera));
    gst_object_unref(element);
    stop(pipeline, NULL, 2);
    EXPECT(GSCAP_OK, gscap_open(CAMERA " ! gscapphotobin", NULL, &camera));
    take(camera);
    EXPECT(GSCAP_OK, gscap_close(camera));
}

void test_attach(void) {
    check_cycles();
    check_states();
    check_frame_on_its_way();
    check_changes();
    check_refusals();
    check_shield();
    check_own_element();
}
