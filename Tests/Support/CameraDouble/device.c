// The devices: their formats, buffers and stream.
#define _GNU_SOURCE
#include "device.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t gscap_double_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t gscap_double_change = PTHREAD_COND_INITIALIZER;
const char *_Atomic gscap_double_root;
Device gscap_double_devices[MOST_DEVICES];
File gscap_double_files[MOST_FILES];
static int device_count;

// The C library's function, because the double's own takes the lock.
int __real_close(int file);

// MARK: - For tests

static const char *root_folder(void) {
    const char *root = gscap_double_root;
    return root ? root : "";
}

static void make_folder(const char *path) {
    char name[8192];
    snprintf(name, sizeof name, "%s%s", root_folder(), path);
    mkdir(name, 0700);
}

static void write_file(const char *folder, const char *node, const char *attribute, const char *text) {
    char name[8192];
    snprintf(name, sizeof name, "%s%s%s%s", root_folder(), folder, node, attribute);
    FILE *file = fopen(name, "w");
    if (!file)
        return;
    fputs(text, file);
    fclose(file);
}

void gscap_double_begin(const char *root) {
    // Each has its own memory, because a thread of the test before may still read the last one.
    static char roots[MOST_DEVICES][512];
    static int count;
    char *memory = roots[count++ % MOST_DEVICES];
    snprintf(memory, sizeof roots[0], "%s", root);
    gscap_double_root = memory;
    make_folder("/dev");
    make_folder("/sys");
    make_folder("/sys/class");
    make_folder("/sys/class/video4linux");
}

void gscap_double_end(void) {
    pthread_mutex_lock(&gscap_double_lock);
    gscap_double_root = NULL;
    for (int i = 0; i < device_count; i++)
        gscap_double_devices[i].is_gone = true;
    pthread_mutex_unlock(&gscap_double_lock);
}

int gscap_double_add(const char *node, const char *name, const char *bus, GscapDoubleBehaviour behaviour) {
    pthread_mutex_lock(&gscap_double_lock);
    int number = device_count++;
    if (number >= MOST_DEVICES)
        __builtin_trap();
    Device *device = &gscap_double_devices[number];
    *device = (Device){ .behaviour = behaviour, .memory = -1, .owner = -1 };
    snprintf(device->node, sizeof device->node, "%s", node);
    snprintf(device->name, sizeof device->name, "%s", name);
    snprintf(device->bus, sizeof device->bus, "%s", bus);
    pthread_mutex_unlock(&gscap_double_lock);
    char folder[128];
    snprintf(folder, sizeof folder, "/sys/class/video4linux/%s", node);
    make_folder(folder);
    write_file("/sys/class/video4linux/", node, "/name", name);
    return number;
}

void gscap_double_add_format(int device, uint32_t code, uint32_t width, uint32_t height, uint32_t stride) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *to = &gscap_double_devices[device];
    to->formats[to->format_count++] = (Format){ code, width, height, stride };
    pthread_mutex_unlock(&gscap_double_lock);
    // The device is complete with its first format: now its file appears.
    write_file("/dev/", to->node, "", "");
}

/// Waits for the next change; returns false after a limit that only a test that hangs reaches.
static bool wait_for_change(void) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 120;
    return pthread_cond_timedwait(&gscap_double_change, &gscap_double_lock, &limit) == 0;
}

int gscap_double_deliver(int number, const uint8_t *bytes, uint32_t count, uint32_t sequence, uint64_t nanoseconds,
                         uint32_t flags) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = &gscap_double_devices[number];
    int found = -1;
    while (found < 0) {
        for (int i = 0; device->is_streaming && i < device->buffer_count; i++)
            if (device->buffers[i].state == QUEUED &&
                (found < 0 || device->buffers[i].order < device->buffers[found].order))
                found = i;
        if (found < 0 && !wait_for_change())
            break;
    }
    if (found < 0) {
        pthread_mutex_unlock(&gscap_double_lock);
        return -1;
    }
    Buffer *buffer = &device->buffers[found];
    uint32_t start = device->behaviour.is_multi_planar ? device->behaviour.data_offset : 0;
    if (count > device->buffer_size - start)
        count = device->buffer_size - start;
    off_t place = (off_t)device->buffer_size * found + start;
    if (pwrite(device->memory, bytes, count, place) != (ssize_t)count)
        __builtin_trap();
    *buffer = (Buffer){ FILLED, count + start, sequence, flags, nanoseconds, ++device->order };
    gscap_double_signal(device);
    pthread_mutex_unlock(&gscap_double_lock);
    return found;
}

static int queued(const Device *device) {
    int count = 0;
    for (int i = 0; i < device->buffer_count; i++)
        count += device->buffers[i].state == QUEUED;
    return count;
}

bool gscap_double_wait_for_buffers(int number, int count) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = &gscap_double_devices[number];
    bool is_done;
    while (!(is_done = device->is_streaming && queued(device) >= count) && wait_for_change()) {}
    pthread_mutex_unlock(&gscap_double_lock);
    return is_done;
}

bool gscap_double_wait_for_poll(int number) {
    pthread_mutex_lock(&gscap_double_lock);
    bool is_done;
    while (!(is_done = gscap_double_devices[number].pollers > 0) && wait_for_change()) {}
    pthread_mutex_unlock(&gscap_double_lock);
    return is_done;
}

void gscap_double_unplug(int number, GscapDoubleLoss loss) {
    char name[8192];
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = &gscap_double_devices[number];
    device->is_gone = true;
    device->loss = loss;
    snprintf(name, sizeof name, "%s/dev/%s", root_folder(), device->node);
    for (int i = 0; i < MOST_FILES; i++)
        if (gscap_double_files[i].device == device)
            shutdown(gscap_double_files[i].other, SHUT_RDWR);
    pthread_mutex_unlock(&gscap_double_lock);
    unlink(name);
}

// MARK: - The kernel's side

Device *gscap_double_named(const char *node) {
    for (int i = 0; i < device_count; i++)
        if (!gscap_double_devices[i].is_gone && !strcmp(gscap_double_devices[i].node, node))
            return &gscap_double_devices[i];
    return NULL;
}

void gscap_double_signal(Device *device) {
    if (device->owner < 0)
        return;
    bool is_filled = false;
    for (int i = 0; i < device->buffer_count; i++)
        is_filled |= device->buffers[i].state == FILLED;
    char byte[64] = { 0 };
    // The socket holds one byte while a filled buffer waits.
    while (recv(device->owner, byte, sizeof byte, MSG_DONTWAIT) > 0) {}
    if (is_filled)
        send(gscap_double_files[device->owner].other, byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static uint32_t buffer_type(const Device *device) {
    return device->behaviour.is_multi_planar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

static int capability(Device *device, struct v4l2_capability *answer) {
    memset(answer, 0, sizeof *answer);
    strcpy((char *)answer->driver, "double");
    snprintf((char *)answer->card, sizeof answer->card, "%.31s", device->name);
    snprintf((char *)answer->bus_info, sizeof answer->bus_info, "%.31s", device->bus);
    answer->version = 0x060100;
    answer->device_caps = V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT |
        (device->behaviour.is_multi_planar ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE);
    answer->capabilities = answer->device_caps | V4L2_CAP_DEVICE_CAPS;
    return 0;
}

static void describe(Device *device, struct v4l2_format *answer) {
    const Format *format = &device->formats[device->format];
    uint32_t size = format->stride * format->height;
    if (device->behaviour.is_multi_planar) {
        struct v4l2_pix_format_mplane *planes = &answer->fmt.pix_mp;
        *planes = (struct v4l2_pix_format_mplane){ .width = format->width, .height = format->height,
                                                   .pixelformat = gscap_double_code(device, device->format),
                                                   .field = V4L2_FIELD_NONE, .colorspace = V4L2_COLORSPACE_RAW,
                                                   .num_planes = 1 };
        planes->plane_fmt[0].sizeimage = size + device->behaviour.data_offset;
        planes->plane_fmt[0].bytesperline = format->stride;
    } else {
        answer->fmt.pix = (struct v4l2_pix_format){ .width = format->width, .height = format->height,
                                                    .pixelformat = gscap_double_code(device, device->format),
                                                    .field = V4L2_FIELD_NONE, .bytesperline = format->stride,
                                                    .sizeimage = size, .colorspace = V4L2_COLORSPACE_RAW };
    }
}

static int set_format(Device *device, struct v4l2_format *wanted) {
    if (wanted->type != buffer_type(device))
        return EINVAL;
    if (device->behaviour.format_error)
        return device->behaviour.format_error;
    if (device->buffer_count)
        return EBUSY;
    bool has_planes = device->behaviour.is_multi_planar;
    uint32_t code = has_planes ? wanted->fmt.pix_mp.pixelformat : wanted->fmt.pix.pixelformat;
    uint32_t width = has_planes ? wanted->fmt.pix_mp.width : wanted->fmt.pix.width;
    for (int i = 0; i < device->format_count; i++)
        if (gscap_double_code(device, i) == code && device->formats[i].width == width)
            device->format = i;
    describe(device, wanted);
    return 0;
}

static int request_buffers(Device *device, int file, struct v4l2_requestbuffers *request) {
    if (request->type != buffer_type(device) || request->memory != V4L2_MEMORY_MMAP)
        return EINVAL;
    if (device->owner >= 0 && device->owner != file)
        return EBUSY;
    if (device->is_streaming)
        return EBUSY;
    // Buffers that are mapped live on without the device: the kernel calls them orphaned.
    if (device->memory >= 0)
        __real_close(device->memory);
    device->memory = -1;
    if (request->count > device->behaviour.most_buffers)
        request->count = device->behaviour.most_buffers;
    request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
    device->buffer_count = (int)request->count;
    memset(device->buffers, 0, sizeof device->buffers);
    device->owner = request->count ? file : -1;
    if (!request->count)
        return 0;
    const Format *format = &device->formats[device->format];
    uint32_t size = format->stride * format->height + device->behaviour.data_offset;
    device->buffer_size = (size + 4095) & ~4095u;
    device->memory = memfd_create("frames", MFD_CLOEXEC);
    return ftruncate(device->memory, (off_t)device->buffer_size * device->buffer_count) ? ENOMEM : 0;
}

static int fill_in(Device *device, uint32_t index, struct v4l2_buffer *answer) {
    const Buffer *buffer = &device->buffers[index];
    const Format *format = &device->formats[device->format];
    bool has_planes = device->behaviour.is_multi_planar;
    uint32_t length = format->stride * format->height + (has_planes ? device->behaviour.data_offset : 0);
    answer->index = index;
    answer->memory = V4L2_MEMORY_MMAP;
    answer->sequence = buffer->sequence;
    answer->field = V4L2_FIELD_NONE;
    answer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | buffer->flags |
        (device->behaviour.is_start_of_exposure ? V4L2_BUF_FLAG_TSTAMP_SRC_SOE : V4L2_BUF_FLAG_TSTAMP_SRC_EOF);
    answer->timestamp.tv_sec = (time_t)(buffer->time / 1000000000);
    answer->timestamp.tv_usec = (suseconds_t)(buffer->time % 1000000000 / 1000);
    if (has_planes) {
        struct v4l2_plane *plane = answer->m.planes;
        *plane = (struct v4l2_plane){ .bytesused = buffer->used, .length = length,
                                      .data_offset = device->behaviour.data_offset };
        plane->m.mem_offset = device->buffer_size * index;
        answer->length = 1;
    } else {
        answer->bytesused = buffer->used;
        answer->length = length;
        answer->m.offset = device->buffer_size * index;
    }
    return 0;
}

static int dequeue(Device *device, struct v4l2_buffer *answer) {
    if (!device->is_streaming)
        return EINVAL;
    int found = -1;
    for (int i = 0; i < device->buffer_count; i++)
        if (device->buffers[i].state == FILLED &&
            (found < 0 || device->buffers[i].order < device->buffers[found].order))
            found = i;
    if (found < 0)
        return EAGAIN;
    device->buffers[found].state = IDLE;
    gscap_double_signal(device);
    return fill_in(device, (uint32_t)found, answer);
}

static int about_buffer(Device *device, int file, unsigned long request, struct v4l2_buffer *argument) {
    if (argument->type != buffer_type(device))
        return EINVAL;
    // The kernel wants memory for the description of each plane.
    if (device->behaviour.is_multi_planar && (!argument->m.planes || argument->length < 1))
        return EINVAL;
    if (request == VIDIOC_DQBUF)
        return device->owner == file ? dequeue(device, argument) : EBUSY;
    if (argument->index >= (uint32_t)device->buffer_count)
        return EINVAL;
    if (request == VIDIOC_QUERYBUF)
        return fill_in(device, argument->index, argument);
    Buffer *buffer = &device->buffers[argument->index];
    if (device->owner != file)
        return EBUSY;
    if (buffer->state != IDLE || argument->memory != V4L2_MEMORY_MMAP)
        return EINVAL;
    *buffer = (Buffer){ .state = QUEUED, .order = ++device->order };
    return 0;
}

static int start(Device *device, int file, uint32_t type) {
    if (type != buffer_type(device))
        return EINVAL;
    if (device->owner != file)
        return device->owner < 0 ? EINVAL : EBUSY;
    if (device->behaviour.start_error)
        return device->behaviour.start_error;
    device->is_streaming = true;
    return 0;
}

static int stop(Device *device, int file, uint32_t type) {
    if (type != buffer_type(device))
        return EINVAL;
    if (device->owner != file)
        return device->owner < 0 ? 0 : EBUSY;
    device->is_streaming = false;
    for (int i = 0; i < device->buffer_count; i++)
        device->buffers[i].state = IDLE;
    gscap_double_signal(device);
    return 0;
}

int gscap_double_answer(Device *device, int file, unsigned long request, void *argument) {
    // Swift and the C library pass the number on with its sign.
    request &= 0xFFFFFFFF;
    if (device->is_gone) {
        if (request != VIDIOC_DQBUF || device->loss == GSCAP_DOUBLE_NO_DEVICE)
            return ENODEV;
        return device->loss == GSCAP_DOUBLE_INVALID ? EINVAL : EAGAIN;
    }
    int error = gscap_double_answer_control(device, request, argument);
    if (error >= 0)
        return error;
    switch (request) {
    case VIDIOC_QUERYCAP: return capability(device, argument);
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *item = argument;
        if (item->type != buffer_type(device) || item->index >= (uint32_t)device->format_count)
            return EINVAL;
        item->pixelformat = gscap_double_code(device, (int)item->index);
        return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
        struct v4l2_frmsizeenum *item = argument;
        for (int i = 0; i < device->format_count; i++) {
            if (item->index || gscap_double_code(device, i) != item->pixel_format)
                continue;
            item->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            item->discrete.width = device->formats[i].width;
            item->discrete.height = device->formats[i].height;
            return 0;
        }
        return EINVAL;
    }
    case VIDIOC_G_FMT: {
        struct v4l2_format *format = argument;
        if (format->type != buffer_type(device))
            return EINVAL;
        describe(device, format);
        return 0;
    }
    case VIDIOC_S_FMT: return set_format(device, argument);
    case VIDIOC_REQBUFS: return request_buffers(device, file, argument);
    case VIDIOC_QUERYBUF:
    case VIDIOC_QBUF:
    case VIDIOC_DQBUF: return about_buffer(device, file, request, argument);
    case VIDIOC_STREAMON: return start(device, file, *(uint32_t *)argument);
    case VIDIOC_STREAMOFF: return stop(device, file, *(uint32_t *)argument);
    default: return ENOTTY;
    }
}
