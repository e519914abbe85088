#include <gst/gst.h>
#include <gst/allocators/gstdmabuf.h>
#include <gst/app/app.h>
#include <gst/base/base.h>
#include <gst/video/video.h>
