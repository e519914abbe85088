#pragma once
#include <gst/gst.h>

// G_TYPE_NONE as a constant, because Swift does not import the macro.
static const GType gscap_type_none = G_TYPE_NONE;

// Flags of GLib as constants. GLib 2.90 declares its flags with an attribute for which Swift imports them as option
// sets, whose members have other names than the enumerators.
static const GTypeFlags gscap_type_flag_final = G_TYPE_FLAG_FINAL;
static const GSignalFlags gscap_signal_run_last = G_SIGNAL_RUN_LAST;
static const GSignalFlags gscap_signal_action = G_SIGNAL_ACTION;
static const GParamFlags gscap_param_readable = G_PARAM_READABLE;
static const GParamFlags gscap_param_writable = G_PARAM_WRITABLE;
static const GParamFlags gscap_param_construct = G_PARAM_CONSTRUCT;
static const GParamFlags gscap_param_construct_only = G_PARAM_CONSTRUCT_ONLY;

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
