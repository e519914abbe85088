#pragma once
#include <stdbool.h>
#include <stdint.h>

// Devices of Video4Linux that exist in this process alone. The linker sends the process's calls of open, ioctl, mmap,
// poll and of a few others to this file (--wrap), which answers those about its devices as the kernel documents them,
// and passes on all others. Frames come when the test delivers them: nothing depends on time.

/// Starts the double: /dev, and the attributes in /sys, are those in a folder, which begins empty.
void gscap_double_begin(const char *root);
/// Removes all devices.
void gscap_double_end(void);

/// How a device behaves.
typedef struct {
    /// Whether its formats have planes, in the kernel's words.
    bool is_multi_planar;
    /// Whether its times are those of the start of the exposure.
    bool is_start_of_exposure;
    /// The bytes before the picture in a buffer with planes.
    uint32_t data_offset;
    /// The most buffers that it gives.
    uint32_t most_buffers;
    /// The errors that opening, S_FMT and STREAMON return; 0 for none.
    int open_error, format_error, start_error;
    /// The group of the device file.
    uint32_t group;
} GscapDoubleBehaviour;

/// Adds a device with the file /dev/`node`. Returns its number.
int gscap_double_add(const char *node, const char *name, const char *bus, GscapDoubleBehaviour behaviour);
/// Adds a format of one size.
void gscap_double_add_format(int device, uint32_t code, uint32_t width, uint32_t height, uint32_t stride);
/// Adds a control. Those of the exposure, of the blanking and of flips affect each other as in the kernel's drivers.
void gscap_double_add_control(int device, uint32_t id, int64_t minimum, int64_t maximum, int64_t value, uint32_t flags);
/// The value of a control; -1 without it.
int64_t gscap_double_value(int device, uint32_t id);
/// Stores the controls that were set since the start, at most `count`, in their order; returns the number of all.
int gscap_double_settings(int device, uint32_t *ids, int count);

/// Waits until the stream runs and the driver has a buffer, and fills it. Returns the buffer's index, or -1
/// if the test hangs.
int gscap_double_deliver(int device, const uint8_t *bytes, uint32_t count, uint32_t sequence, uint64_t nanoseconds,
                         uint32_t flags);
/// Waits until the driver has a number of empty buffers; returns false if the test hangs.
bool gscap_double_wait_for_buffers(int device, int count);
/// Waits until a thread waits in poll for the device; returns false if the test hangs.
bool gscap_double_wait_for_poll(int device);

/// What a driver answers in VIDIOC_DQBUF when its device has gone.
typedef enum { GSCAP_DOUBLE_NO_DEVICE, GSCAP_DOUBLE_INVALID, GSCAP_DOUBLE_POLL_ERROR } GscapDoubleLoss;
/// Removes a device and its file.
void gscap_double_unplug(int device, GscapDoubleLoss loss);
