// The controls of the devices, and how they depend on each other.
#include "device.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/// The lines by which the exposure of a sensor is shorter than its frame.
enum { MARGIN = 4 };

/// The codes of the four orders of colours, from Documentation/userspace-api/media/v4l/pixfmt-bayer.rst: BGGR, GBRG,
/// GRBG and RGGB. Exchanging the columns changes the last bit of the position, and exchanging the rows the one before.
static const uint32_t orders[][4] = {
    { V4L2_PIX_FMT_SBGGR8, V4L2_PIX_FMT_SGBRG8, V4L2_PIX_FMT_SGRBG8, V4L2_PIX_FMT_SRGGB8 },
    { V4L2_PIX_FMT_SBGGR10, V4L2_PIX_FMT_SGBRG10, V4L2_PIX_FMT_SGRBG10, V4L2_PIX_FMT_SRGGB10 },
    { V4L2_PIX_FMT_SBGGR10P, V4L2_PIX_FMT_SGBRG10P, V4L2_PIX_FMT_SGRBG10P, V4L2_PIX_FMT_SRGGB10P },
    { V4L2_PIX_FMT_SBGGR12, V4L2_PIX_FMT_SGBRG12, V4L2_PIX_FMT_SGRBG12, V4L2_PIX_FMT_SRGGB12 },
    { V4L2_PIX_FMT_SBGGR12P, V4L2_PIX_FMT_SGBRG12P, V4L2_PIX_FMT_SGRBG12P, V4L2_PIX_FMT_SRGGB12P },
};

Control *gscap_double_find_control(Device *device, uint32_t id) {
    for (int i = 0; i < device->control_count; i++)
        if (device->controls[i].id == id)
            return &device->controls[i];
    return NULL;
}

uint32_t gscap_double_code(Device *device, int format) {
    uint32_t code = device->formats[format].code;
    const Control *horizontal = gscap_double_find_control(device, V4L2_CID_HFLIP);
    const Control *vertical = gscap_double_find_control(device, V4L2_CID_VFLIP);
    unsigned change = (horizontal && horizontal->value ? 1 : 0) | (vertical && vertical->value ? 2 : 0);
    for (unsigned row = 0; row < sizeof orders / sizeof *orders; row++)
        for (unsigned order = 0; order < 4; order++)
            if (orders[row][order] == code)
                return orders[row][order ^ change];
    return code;
}

void gscap_double_add_control(int number, uint32_t id, int64_t minimum, int64_t maximum, int64_t value,
                              uint32_t flags) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = &gscap_double_devices[number];
    device->controls[device->control_count++] = (Control){ id, flags, minimum, maximum, value, value };
    pthread_mutex_unlock(&gscap_double_lock);
}

int64_t gscap_double_value(int number, uint32_t id) {
    pthread_mutex_lock(&gscap_double_lock);
    Control *control = gscap_double_find_control(&gscap_double_devices[number], id);
    int64_t value = control ? control->value : -1;
    pthread_mutex_unlock(&gscap_double_lock);
    return value;
}

int gscap_double_settings(int number, uint32_t *ids, int count) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = &gscap_double_devices[number];
    int all = device->setting_count;
    memcpy(ids, device->settings, sizeof *ids * (size_t)(count < all ? count : all));
    pthread_mutex_unlock(&gscap_double_lock);
    return all;
}

/// The exposure is at most the frame's lines without the margin.
static void follow_blanking(Device *device) {
    Control *exposure = gscap_double_find_control(device, V4L2_CID_EXPOSURE);
    Control *blanking = gscap_double_find_control(device, V4L2_CID_VBLANK);
    if (!exposure || !blanking)
        return;
    exposure->maximum = (int64_t)device->formats[device->format].height + blanking->value - MARGIN;
    if (exposure->value > exposure->maximum)
        exposure->value = exposure->maximum;
}

static bool is_wide(const Control *control) { return control->id == V4L2_CID_PIXEL_RATE; }

static int set(Device *device, struct v4l2_ext_control *wanted) {
    Control *control = gscap_double_find_control(device, wanted->id);
    if (!control)
        return EINVAL;
    if (control->flags & V4L2_CTRL_FLAG_READ_ONLY)
        return EACCES;
    // Webcams refuse an exposure while they have their own.
    Control *automatic = gscap_double_find_control(device, V4L2_CID_EXPOSURE_AUTO);
    if (control->id == V4L2_CID_EXPOSURE_ABSOLUTE && automatic && automatic->value != V4L2_EXPOSURE_MANUAL)
        return EACCES;
    // What changes the layout cannot be set while there are buffers of the old one.
    if (control->flags & V4L2_CTRL_FLAG_MODIFY_LAYOUT && device->buffer_count)
        return EBUSY;
    int64_t value = is_wide(control) ? wanted->value64 : wanted->value;
    // The kernel limits integers instead of refusing them.
    control->value = value < control->minimum ? control->minimum : value > control->maximum ? control->maximum : value;
    if (device->setting_count < MOST_SETTINGS)
        device->settings[device->setting_count++] = control->id;
    follow_blanking(device);
    wanted->value = (int32_t)control->value;
    return 0;
}

static int query(Device *device, struct v4l2_query_ext_ctrl *argument) {
    follow_blanking(device);
    uint32_t id = argument->id & V4L2_CTRL_ID_MASK;
    const Control *found = NULL;
    if (argument->id & V4L2_CTRL_FLAG_NEXT_CTRL) {
        for (int i = 0; i < device->control_count; i++)
            if (device->controls[i].id > id && (!found || device->controls[i].id < found->id))
                found = &device->controls[i];
    } else {
        found = gscap_double_find_control(device, id);
    }
    if (!found)
        return EINVAL;
    memset(argument, 0, sizeof *argument);
    argument->id = found->id;
    argument->type = is_wide(found) ? V4L2_CTRL_TYPE_INTEGER64 : V4L2_CTRL_TYPE_INTEGER;
    argument->minimum = found->minimum;
    argument->maximum = found->maximum;
    argument->default_value = found->standard;
    argument->flags = found->flags;
    argument->step = 1;
    snprintf(argument->name, sizeof argument->name, "control %x", found->id);
    return 0;
}

int gscap_double_answer_control(Device *device, unsigned long request, void *argument) {
    struct v4l2_ext_controls *list = argument;
    switch (request) {
    case VIDIOC_QUERY_EXT_CTRL: return query(device, argument);
    case VIDIOC_G_EXT_CTRLS:
        for (uint32_t i = 0; i < list->count; i++) {
            const Control *control = gscap_double_find_control(device, list->controls[i].id);
            if (!control)
                return EINVAL;
            if (is_wide(control))
                list->controls[i].value64 = control->value;
            else
                list->controls[i].value = (int32_t)control->value;
        }
        return 0;
    case VIDIOC_S_EXT_CTRLS:
        for (uint32_t i = 0; i < list->count; i++) {
            int error = set(device, &list->controls[i]);
            if (error) {
                list->error_idx = list->count;
                return error;
            }
        }
        return 0;
    default: return -1;
    }
}
