#pragma once
#include <gst/gst.h>

// G_TYPE_NONE as a constant, because Swift does not import the macro.
static const GType gscap_type_none = G_TYPE_NONE;

// GParamFlags of GStreamer as constants, because Swift does not import macros that are built from shifts of other
// macros.
static const gint gscap_param_controllable = GST_PARAM_CONTROLLABLE;
static const gint gscap_param_mutable_ready = GST_PARAM_MUTABLE_READY;
static const gint gscap_param_mutable_paused = GST_PARAM_MUTABLE_PAUSED;
static const gint gscap_param_mutable_playing = GST_PARAM_MUTABLE_PLAYING;

/// Returns the GType of a class struct. Swift does not import the macro G_TYPE_FROM_CLASS.
static inline GType gscap_class_type(gpointer any_class) {
    return G_TYPE_FROM_CLASS(any_class);
}
