#pragma once
#include <gst/gst.h>

/// Writes a warning to GStreamer's debug log, in the category "gscap": its logging is macros and variable arguments.
void gscap_log_warning(const gchar *message);
