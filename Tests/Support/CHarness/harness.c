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

void *gscap_harness_pull_event(void *harness) {
    return gst_harness_pull_event(harness);
}

void gscap_buffer_place_rows(void *buffer, unsigned width, unsigned height, unsigned long offset, int stride) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = {offset};
    gint strides[GST_VIDEO_MAX_PLANES] = {stride};
    gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_ENCODED, width, height, 1, offsets, strides);
}

int gscap_buffer_flags(const void *buffer) {
    const GstBuffer *described = buffer;
    return GST_BUFFER_FLAG_IS_SET(described, GST_BUFFER_FLAG_DISCONT) * 1 +
           GST_BUFFER_FLAG_IS_SET(described, GST_BUFFER_FLAG_CORRUPTED) * 2 +
           GST_BUFFER_FLAG_IS_SET(described, GST_BUFFER_FLAG_MARKER) * 4;
}

void gscap_buffer_describe(void *buffer, unsigned width, unsigned height, const unsigned region[4]) {
    GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_CORRUPTED | GST_BUFFER_FLAG_MARKER);
    GstCaps *clock = gst_caps_new_empty_simple("timestamp/x-unix");
    gst_buffer_add_reference_timestamp_meta(buffer, clock, GST_SECOND, GST_CLOCK_TIME_NONE);
    gst_caps_unref(clock);
    gst_buffer_add_video_region_of_interest_meta(buffer, "face", region[0], region[1], region[2], region[3]);
    gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, width, height);
}

unsigned long gscap_buffer_reference_timestamp(void *buffer) {
    GstReferenceTimestampMeta *meta = gst_buffer_get_reference_timestamp_meta(buffer, NULL);
    return meta == NULL ? 0 : meta->timestamp;
}

int gscap_buffer_region(void *buffer, unsigned region[4]) {
    GstVideoRegionOfInterestMeta *meta = gst_buffer_get_video_region_of_interest_meta_id(buffer, 0);
    if (meta != NULL) {
        region[0] = meta->x;
        region[1] = meta->y;
        region[2] = meta->w;
        region[3] = meta->h;
    }
    return (int)gst_buffer_get_n_meta(buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

int gscap_buffer_has_memory_metadata(void *buffer) {
    return gst_buffer_get_video_meta(buffer) != NULL || gst_buffer_get_parent_buffer_meta(buffer) != NULL;
}

int gscap_element_implements(void *element, const char *interface) {
    return g_type_is_a(G_OBJECT_TYPE(element), g_type_from_name(interface));
}

int gscap_factory_rank(const char *name) {
    GstElementFactory *factory = gst_element_factory_find(name);
    if (factory == NULL)
        return -1;
    int rank = (int)gst_plugin_feature_get_rank(GST_PLUGIN_FEATURE(factory));
    gst_object_unref(factory);
    return rank;
}

void gscap_set_preset_folder(const char *folder) {
    gst_preset_set_app_dir(folder);
}

int gscap_load_preset(void *element, const char *name) {
    return gst_preset_load_preset(element, name);
}

void gscap_set_tags(void *element, const char *tags) {
    GstTagList *list = gst_tag_list_new_from_string(tags);
    gst_tag_setter_merge_tags(element, list, GST_TAG_MERGE_REPLACE);
    gst_tag_list_unref(list);
}

void *gscap_tag_event_new(const char *tags) {
    return gst_event_new_tag(gst_tag_list_new_from_string(tags));
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
