#pragma once
#include <gst/gst.h>

/// Logs a warning in GStreamer's debug category "gscap". A C function because the logging macros, with their variable
/// arguments, are not imported into Swift.
void gscap_log_warning(const gchar *message);
