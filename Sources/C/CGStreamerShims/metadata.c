#include "Metadata.h"

#include <gst/video/video.h>

typedef struct {
    GstBuffer *output;
    const gchar *omitted;
    const GscapView *view;
} CopyContext;

/// Whether a transform of the pixels keeps metadata of this kind. GStreamer's own video elements keep the same.
static gboolean is_kept(const GstMeta *meta, const gchar *omitted) {
    const GstMetaInfo *info = meta->info;
    // The parent meta would keep the input's memory alive for as long as the output exists.
    if (GST_META_FLAG_IS_SET(meta, GST_META_FLAG_POOLED) || info->api == GST_PARENT_BUFFER_META_API_TYPE)
        return FALSE;
    if (omitted != NULL && gst_meta_info_is_custom(info) && gst_custom_meta_has_name((GstCustomMeta *)meta, omitted))
        return FALSE;
    const gchar *const *tag = gst_meta_api_type_get_tags(info->api);
    for (; tag != NULL && *tag != NULL; tag++) {
        if (g_strcmp0(*tag, GST_META_TAG_VIDEO_STR) != 0 && g_strcmp0(*tag, GST_META_TAG_VIDEO_SIZE_STR) != 0 &&
            g_strcmp0(*tag, GST_META_TAG_VIDEO_ORIENTATION_STR) != 0)
            return FALSE;
    }
    return TRUE;
}

static gboolean copy_meta(GstBuffer *input, GstMeta **pointer, gpointer data) {
    const CopyContext *context = data;
    GstMeta *meta = *pointer;
    const GstMetaInfo *info = meta->info;
    if (info->transform_func == NULL || !is_kept(meta, context->omitted))
        return TRUE;
    GQuark size = g_quark_from_static_string(GST_META_TAG_VIDEO_SIZE_STR);
    if (context->view != NULL && gst_meta_api_type_has_tag(info->api, size)) {
        GstVideoInfo from, to;
        gst_video_info_init(&from);
        gst_video_info_init(&to);
        from.width = context->view->width;
        from.height = context->view->height;
        to.width = context->view->output_width;
        to.height = context->view->output_height;
        GstVideoMetaTransform scale = {&from, &to};
        info->transform_func(context->output, meta, input, gst_video_meta_transform_scale_get_quark(), &scale);
    } else {
        GstMetaTransformCopy whole = {FALSE, 0, -1};
        info->transform_func(context->output, meta, input, _gst_meta_transform_copy, &whole);
    }
    return TRUE;
}

/// Moves an interval by `distance` and cuts it to 0 … `end`; returns FALSE if nothing is left.
static gboolean clip(guint *start, guint *length, gint64 distance, gint end) {
    gint64 first = MAX((gint64)*start + distance, 0);
    gint64 last = MIN((gint64)*start + distance + *length, end);
    if (first >= last)
        return FALSE;
    *start = (guint)first;
    *length = (guint)(last - first);
    return TRUE;
}

/// Moves a region of interest of the scaled input to its position in the view, or removes it if it lies outside.
static gboolean move_region(GstBuffer *buffer, GstMeta **meta, gpointer data) {
    const GscapView *view = data;
    if ((*meta)->info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
        return TRUE;
    GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *)*meta;
    gint64 left = (gint64)view->left * view->output_width / view->width;
    gint64 top = (gint64)view->top * view->output_height / view->height;
    if (!clip(&region->x, &region->w, -left, view->output_width) ||
        !clip(&region->y, &region->h, -top, view->output_height))
        *meta = NULL;
    return TRUE;
}

void gscap_buffer_copy_metadata(GstBuffer *output, GstBuffer *input, const gchar *omitted, const GscapView *view) {
    if (!gst_buffer_is_writable(output))
        return;
    gst_buffer_copy_into(output, input, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    // A view without pixels has no coordinates.
    if (view != NULL && (view->width <= 0 || view->height <= 0))
        view = NULL;
    CopyContext context = {output, omitted, view};
    gst_buffer_foreach_meta(input, copy_meta, &context);
    if (view != NULL)
        gst_buffer_foreach_meta(output, move_region, (gpointer)view);
}
