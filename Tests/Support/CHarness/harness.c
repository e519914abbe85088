#include "CHarness.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

void *gscap_harness_new(void *element, int has_sink, int has_source) {
    GstHarness *harness = gst_harness_new_with_element(element, has_sink ? "sink" : NULL, has_source ? "src" : NULL);
    gst_harness_set_live(harness, FALSE);
    return harness;
}

void gscap_harness_set_live(void *harness, int is_live) {
    gst_harness_set_live(harness, is_live);
}

void gscap_harness_free(void *harness) {
    gst_harness_teardown(harness);
}

void gscap_harness_set_source_caps(void *harness, const char *caps) {
    gst_harness_set_src_caps_str(harness, caps);
}

void gscap_harness_set_sink_caps(void *harness, const char *caps) {
    gst_harness_set_sink_caps_str(harness, caps);
}

void gscap_harness_play(void *harness) {
    gst_harness_play(harness);
}

int gscap_harness_push(void *harness, void *buffer) {
    return gst_harness_push(harness, buffer);
}

void *gscap_harness_try_pull(void *harness) {
    return gst_harness_try_pull(harness);
}

void *gscap_harness_pull(void *harness) {
    return gst_harness_pull(harness);
}

int gscap_harness_push_event(void *harness, void *event) {
    return gst_harness_push_event(harness, event);
}

int gscap_harness_push_upstream_event(void *harness, void *event) {
    return gst_harness_push_upstream_event(harness, event);
}

void *gscap_harness_try_pull_event(void *harness) {
    return gst_harness_try_pull_event(harness);
}

void gscap_buffer_place_rows(void *buffer, unsigned width, unsigned height, unsigned long offset, int stride) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = {offset};
    gint strides[GST_VIDEO_MAX_PLANES] = {stride};
    gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_ENCODED, width, height, 1, offsets, strides);
}

static int criticals;

static void count_critical(const char *domain, GLogLevelFlags level, const char *text, void *unused) {
    g_atomic_int_inc(&criticals);
}

unsigned gscap_criticals_start_counting(void) {
    return g_log_set_handler("GStreamer", G_LOG_LEVEL_CRITICAL, count_critical, NULL);
}

int gscap_criticals_stop_counting(unsigned listener) {
    g_log_remove_handler("GStreamer", listener);
    return g_atomic_int_get(&criticals);
}
