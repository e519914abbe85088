#pragma once
#include <gst/gst.h>

/// The plugin's entry, written in Swift; see the target gstgscap.
gboolean gstgscap_initialize(GstPlugin *plugin);
