// Used by examples/rtsp-stills alone, so no other product needs the package libgstrtspserver-1.0-dev.
#include <glib-unix.h>
#include <gst/rtsp-server/rtsp-server.h>
