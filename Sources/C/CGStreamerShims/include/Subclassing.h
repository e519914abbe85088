#pragma once
#include <gst/gst.h>

static const GType gscap_type_none = G_TYPE_NONE;

// Flags of property descriptions that are sums of macros.
static const gint gscap_param_controllable = GST_PARAM_CONTROLLABLE;
static const gint gscap_param_mutable_ready = GST_PARAM_MUTABLE_READY;
static const gint gscap_param_mutable_paused = GST_PARAM_MUTABLE_PAUSED;
static const gint gscap_param_mutable_playing = GST_PARAM_MUTABLE_PLAYING;

/// The type a class belongs to: a macro over its first field.
static inline GType gscap_class_type(gpointer any_class) {
    return G_TYPE_FROM_CLASS(any_class);
}
