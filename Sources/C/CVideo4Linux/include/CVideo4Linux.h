#pragma once
#include <linux/media.h>
#include <linux/v4l2-subdev.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>

// The requests of Video4Linux and of the media controller as constants, because Swift does not import macros that
// contain a size.
static const unsigned long gscap_vidioc_querycap = VIDIOC_QUERYCAP;
static const unsigned long gscap_vidioc_enum_fmt = VIDIOC_ENUM_FMT;
static const unsigned long gscap_vidioc_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long gscap_vidioc_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long gscap_vidioc_reqbufs = VIDIOC_REQBUFS;
static const unsigned long gscap_vidioc_querybuf = VIDIOC_QUERYBUF;
static const unsigned long gscap_vidioc_qbuf = VIDIOC_QBUF;
static const unsigned long gscap_vidioc_dqbuf = VIDIOC_DQBUF;
static const unsigned long gscap_vidioc_expbuf = VIDIOC_EXPBUF;
static const unsigned long gscap_vidioc_streamon = VIDIOC_STREAMON;
static const unsigned long gscap_vidioc_streamoff = VIDIOC_STREAMOFF;
static const unsigned long gscap_vidioc_query_ext_ctrl = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long gscap_vidioc_querymenu = VIDIOC_QUERYMENU;
static const unsigned long gscap_vidioc_subdev_enum_mbus_code = VIDIOC_SUBDEV_ENUM_MBUS_CODE;
static const unsigned long gscap_vidioc_subdev_enum_frame_size = VIDIOC_SUBDEV_ENUM_FRAME_SIZE;
static const unsigned long gscap_vidioc_subdev_g_fmt = VIDIOC_SUBDEV_G_FMT;
static const unsigned long gscap_vidioc_subdev_s_fmt = VIDIOC_SUBDEV_S_FMT;

/// Opens a device file; calls on it do not block. Returns its descriptor, or the negative error number. In C, like all
/// calls whose number of arguments varies, so that the tests' double of devices can take the place of the kernel.
int gscap_video_open(const char *path);

/// Calls ioctl, again after an interruption by a signal. Returns 0 or the error number.
int gscap_video_call(int device, unsigned long request, void *argument);

/// The format of a device file's frames.
typedef struct {
    uint32_t code, width, height, colorspace, stride;
} GscapVideoFormat;

/// Requests a format if `is_new`, and reads the one that the driver has. Returns 0 or the error number. In C because
/// the kernel's union has pointers, so that Swift takes all its members for unsafe.
int gscap_video_format(int device, bool is_multi_planar, bool is_new, GscapVideoFormat *format);

/// Requests a number of frames per second. Drivers without a choice refuse, which is no fault.
void gscap_video_set_rate(int device, bool is_multi_planar, uint32_t numerator, uint32_t denominator);

/// Creates a counter that wakes a thread in poll; the caller closes it. Returns its descriptor, or -1. In C because
/// Swift's module of glibc lacks eventfd().
int gscap_video_event(void);

/// Reads a control of up to 64 bits. Returns 0 or the error number. In C because the structure of a control is packed,
/// which Swift does not import.
int gscap_video_get_control(int device, uint32_t id, int64_t *value);

/// Sets controls in one call. `wide` says for each whether its value has 64 bits. Returns 0 or the error number, and
/// the index of the control that was refused, or `count`, in `failed`.
int gscap_video_set_controls(int device, uint32_t count, const uint32_t *ids, const int64_t *values,
                             const uint8_t *wide, uint32_t *failed);

/// An entity of a media graph, with the numbers of its device file, or 0 and 0.
typedef struct {
    uint32_t id, function, flags, major, minor;
    char name[64];
} GscapMediaEntity;

/// A pad of an entity.
typedef struct {
    uint32_t id, entity, flags, index;
} GscapMediaPad;

/// A link between two pads, or, as an ancillary link, between two entities.
typedef struct {
    uint32_t source, sink, flags;
} GscapMediaLink;

/// A media graph.
typedef struct {
    uint32_t entity_count, pad_count, link_count;
    GscapMediaEntity *entities;
    GscapMediaPad *pads;
    GscapMediaLink *links;
} GscapMediaGraph;

/// Reads the graph of a media device. Returns 0 or the error number. In C because the kernel's structures are packed.
int gscap_media_read(int device, GscapMediaGraph *graph);
/// Frees the arrays of a graph.
void gscap_media_free(GscapMediaGraph *graph);
/// Enables or disables a link between two pads. Returns 0 or the error number.
int gscap_media_set_link(int device, uint32_t source_entity, uint16_t source_index, uint32_t sink_entity,
                         uint16_t sink_index, int is_enabled);
