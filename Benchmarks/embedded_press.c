/*
 * embedded_press.c: prints the times from the press to the bytes of a JPEG of one frame over the C library in
 * milliseconds, one a line, for embedding.py.
 *
 *     embedded_press PRESSES [WIDTH HEIGHT]
 *
 * The camera delivers references to prepared frames, ten per second, one period after their timestamps.
 */
#include <gscap.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 8
#define PERIOD (GST_SECOND / 10)

static GstBuffer *frames[FRAMES];
static GstCaps *caps;
static gint is_stopping;

/* Makes the frames with the simulated sensor; returns whether it has delivered all. */
static gboolean prepare(int width, int height) {
    char *text = g_strdup_printf(
        "gscapsensorsrc is-live=false num-buffers=%d ! video/x-bayer,format=rggb12le,width=%d,height=%d,framerate=10/1 "
        "! rawunpack ! appsink name=out sync=false", FRAMES, width, height);
    GstElement *pipeline = gst_parse_launch(text, NULL);
    g_free(text);
    if (!pipeline) return FALSE;
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "out");
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    int count = 0;
    for (GstSample *sample = NULL; count < FRAMES; gst_sample_unref(sample)) {
        g_signal_emit_by_name(sink, "pull-sample", &sample);
        if (!sample) break;
        if (!caps) caps = gst_caps_ref(gst_sample_get_caps(sample));
        frames[count++] = gst_buffer_ref(gst_sample_get_buffer(sample));
    }
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(sink);
    gst_object_unref(pipeline);
    return count == FRAMES;
}

/* Pushes the frames until the program stops. */
static gpointer push(gpointer source) {
    GstClock *clock = gst_system_clock_obtain();
    GstClockTime base = gst_element_get_base_time(source);
    GstClockTime start = gst_clock_get_time(clock) - base;
    for (guint64 number = 0; !g_atomic_int_get(&is_stopping); number++) {
        GstBuffer *buffer = gst_buffer_copy(frames[number % FRAMES]);
        GST_BUFFER_PTS(buffer) = start + number * PERIOD;
        GST_BUFFER_DURATION(buffer) = PERIOD;
        GstCustomMeta *meta = gst_buffer_get_custom_meta(buffer, GSCAP_META_NAME);
        if (meta)
            gst_structure_set(
                gst_custom_meta_get_structure(meta), GSCAP_META_FRAME_NUMBER, G_TYPE_UINT64, number,
                GSCAP_META_SENSOR_TIMESTAMP, G_TYPE_UINT64, GST_BUFFER_PTS(buffer), NULL);
        GstClockID wake = gst_clock_new_single_shot_id(clock, base + GST_BUFFER_PTS(buffer) + PERIOD);
        gst_clock_id_wait(wake, NULL);
        gst_clock_id_unref(wake);
        GstFlowReturn flow = GST_FLOW_OK;
        g_signal_emit_by_name(source, "push-buffer", buffer, &flow);
        gst_buffer_unref(buffer);
    }
    gst_object_unref(clock);
    return NULL;
}

/* The time at which the photo of the capture under way was there. */
static GMutex lock;
static gint64 arrival;

static void receive(GscapCamera *camera, const GscapEvent *event, void *data) {
    (void)camera;
    (void)data;
    size_t size = 0;
    if (!event->photo || !gscap_photo_get_bytes(event->photo, &size) || size == 0) return;
    g_mutex_lock(&lock);
    arrival = g_get_monotonic_time();
    g_mutex_unlock(&lock);
}

/* Takes a photo; returns the milliseconds until its bytes were there, or -1. */
static double press(GscapCamera *camera) {
    uint64_t ticket = 0;
    GscapResult *result = NULL;
    gint64 start = g_get_monotonic_time();
    if (gscap_capture_text(camera, "capture, frames=(int)1, fusion-mode=(string)speed", &ticket)
        || gscap_wait(camera, ticket, 30, &result))
        return -1;
    int has_succeeded = gscap_result_get_outcome(result) == GSCAP_SUCCEEDED;
    gscap_result_unref(result);
    g_mutex_lock(&lock);
    double time = (double)(arrival - start) / 1000;
    g_mutex_unlock(&lock);
    return has_succeeded ? time : -1;
}

int main(int count, char **arguments) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // as the Swift side of the comparison
    gst_init(NULL, NULL);
    int presses = count > 1 ? atoi(arguments[1]) : 20;
    int width = count > 3 ? atoi(arguments[2]) : 4032, height = count > 3 ? atoi(arguments[3]) : 3024;
    GscapCamera *camera = NULL;
    if (!prepare(width, height)) {
        fprintf(stderr, "the simulated sensor delivered no frames\n");
        return 1;
    }
    char *format = gst_caps_to_string(caps);
    char *text = g_strdup_printf(
        "appsrc name=camera is-live=true format=time min-latency=%" G_GUINT64_FORMAT " caps=\"%s\"", (guint64)PERIOD,
        format);
    if (gscap_open(text, NULL, &camera) || gscap_set_callback(camera, receive, NULL, NULL)) {
        fprintf(stderr, "%s\n", gscap_last_error());
        return 1;
    }
    GstElement *pipeline = gscap_get_pipeline(camera), *source = gst_bin_get_by_name(GST_BIN(pipeline), "camera");
    GThread *thread = g_thread_new("camera", push, source);
    g_usleep(1500000); /* the ring is full */
    int failures = 0;
    for (int i = 0; i <= presses; i++) {
        g_usleep((gulong)g_random_int_range(200000, 400000));
        double time = press(camera);
        failures += time < 0;
        if (time < 0) fprintf(stderr, "%s\n", gscap_last_error());
        else if (i > 0) printf("%f\n", time); /* the first press fills the pools */
    }
    g_atomic_int_set(&is_stopping, 1);
    g_thread_join(thread);
    gst_object_unref(source);
    gst_object_unref(pipeline);
    gscap_close(camera);
    g_free(text);
    g_free(format);
    return failures > 0;
}
