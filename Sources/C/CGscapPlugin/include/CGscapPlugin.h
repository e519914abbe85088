#pragma once
#include <gst/gst.h>

/// The plugin's entry function, which registers the elements. Implemented in Swift, in the target gstgscap.
gboolean gstgscap_initialize(GstPlugin *plugin);
