#pragma once
#include <gst/gst.h>

/// The part of a picture that a transform outputs, in pixels of its input, and the size at which it outputs the part.
typedef struct {
    gint left, top, width, height;
    gint output_width, output_height;
} GscapView;

/// Copies flags, timestamps and metadata from one buffer to another, as GstBaseTransform does for video filters:
/// metadata that describe the memory, the colours or the original buffer are left out, and so is the custom metadata
/// named `omitted`, unless that is null. Regions of interest are converted to the part in `view`, unless that is null.
/// Written in C because Swift imports neither combinations of enumeration flags nor the quark of a copy.
void gscap_buffer_copy_metadata(GstBuffer *output, GstBuffer *input, const gchar *omitted, const GscapView *view);
