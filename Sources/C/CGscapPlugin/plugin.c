#include "CGscapPlugin.h"
#include "CGscapVersion.h"

// GStreamer finds a plugin by the symbols that GST_PLUGIN_DEFINE defines. The macro is expanded in C because Swift
// cannot expand it.

// GST_PLUGIN_DEFINE uses PACKAGE as the plugin's source module.
#define PACKAGE "gscap"

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, gscap,
                  "RAW still photography: simulated sensor, burst shutter, fusion, DNG", gstgscap_initialize,
                  GSCAP_VERSION, "LGPL", "gscap", "https://gstreamer.freedesktop.org")
