#include "CVideo4Linux.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

int gscap_video_open(const char *path) {
    int device = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    return device < 0 ? -errno : device;
}

int gscap_video_call(int device, unsigned long request, void *argument) {
    int result;
    do
        result = ioctl(device, request, argument);
    while (result < 0 && errno == EINTR);
    return result < 0 ? errno : 0;
}

int gscap_video_format(int device, bool is_multi_planar, bool is_new, GscapVideoFormat *format) {
    struct v4l2_format kernel = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
    struct v4l2_pix_format *single = &kernel.fmt.pix;
    struct v4l2_pix_format_mplane *planes = &kernel.fmt.pix_mp;
    if (is_multi_planar) {
        kernel.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
        planes->pixelformat = format->code;
        planes->width = format->width;
        planes->height = format->height;
        planes->colorspace = format->colorspace;
        planes->field = V4L2_FIELD_NONE;
        planes->num_planes = 1;
    } else {
        single->pixelformat = format->code;
        single->width = format->width;
        single->height = format->height;
        single->colorspace = format->colorspace;
        single->field = V4L2_FIELD_NONE;
    }
    int error = gscap_video_call(device, is_new ? VIDIOC_S_FMT : VIDIOC_G_FMT, &kernel);
    if (error == 0 && is_multi_planar)
        *format = (GscapVideoFormat){ planes->pixelformat, planes->width, planes->height, planes->colorspace,
                                      planes->plane_fmt[0].bytesperline };
    else if (error == 0)
        *format = (GscapVideoFormat){ single->pixelformat, single->width, single->height, single->colorspace,
                                      single->bytesperline };
    return error;
}

void gscap_video_set_rate(int device, bool is_multi_planar, uint32_t numerator, uint32_t denominator) {
    struct v4l2_streamparm parameters = {
        .type = is_multi_planar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE,
        .parm.capture.timeperframe = { denominator, numerator },
    };
    gscap_video_call(device, VIDIOC_S_PARM, &parameters);
}

int gscap_video_event(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int gscap_video_get_control(int device, uint32_t id, int64_t *value) {
    struct v4l2_ext_control control = { .id = id };
    struct v4l2_ext_controls controls = { .count = 1, .controls = &control };
    struct v4l2_query_ext_ctrl description = { .id = id };
    int error = gscap_video_call(device, VIDIOC_QUERY_EXT_CTRL, &description);
    if (error == 0)
        error = gscap_video_call(device, VIDIOC_G_EXT_CTRLS, &controls);
    if (error == 0)
        *value = description.type == V4L2_CTRL_TYPE_INTEGER64 ? control.value64 : control.value;
    return error;
}

enum { MOST_CONTROLS = 16 };

int gscap_video_set_controls(int device, uint32_t count, const uint32_t *ids, const int64_t *values,
                             const uint8_t *wide, uint32_t *failed) {
    struct v4l2_ext_control control[MOST_CONTROLS];
    if (count > MOST_CONTROLS)
        return EINVAL;
    memset(control, 0, sizeof control);
    for (uint32_t i = 0; i < count; i++) {
        control[i].id = ids[i];
        if (wide[i])
            control[i].value64 = values[i];
        else
            control[i].value = (int32_t)values[i];
    }
    struct v4l2_ext_controls controls = { .count = count, .controls = control };
    int error = gscap_video_call(device, VIDIOC_S_EXT_CTRLS, &controls);
    *failed = controls.error_idx < count ? controls.error_idx : count;
    return error;
}
