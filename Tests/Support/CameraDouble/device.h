#pragma once
#include "CameraDouble.h"
#include <linux/videodev2.h>
#include <pthread.h>
#include <stddef.h>

// The devices, and the files that are open on them. All are read and changed under `gscap_double_lock`.

enum {
    MOST_DEVICES = 256,
    MOST_FORMATS = 8,
    MOST_CONTROLS = 24,
    MOST_BUFFERS = 32,
    MOST_SETTINGS = 256,
    MOST_FILES = 1024
};

typedef struct {
    uint32_t code, width, height, stride;
} Format;

typedef struct {
    uint32_t id, flags;
    int64_t minimum, maximum, standard, value;
} Control;

typedef enum { IDLE, QUEUED, FILLED } BufferState;

typedef struct {
    BufferState state;
    uint32_t used, sequence, flags;
    uint64_t time, order;
} Buffer;

typedef struct {
    char node[32], name[64], bus[32];
    GscapDoubleBehaviour behaviour;
    Format formats[MOST_FORMATS];
    int format_count, format;
    Control controls[MOST_CONTROLS];
    int control_count;
    uint32_t settings[MOST_SETTINGS];
    int setting_count;
    Buffer buffers[MOST_BUFFERS];
    int buffer_count;
    uint32_t buffer_size;
    uint64_t order;
    int memory, owner, pollers;
    bool is_streaming, is_gone;
    GscapDoubleLoss loss;
} Device;

/// An open file: the end of a socket that is readable while a filled buffer waits, and its other end.
typedef struct {
    Device *device;
    int other;
} File;

extern pthread_mutex_t gscap_double_lock;
extern pthread_cond_t gscap_double_change;
/// The folder of the double; NULL while there is none. Read by every call of the process, so without the lock.
extern const char *_Atomic gscap_double_root;
extern Device gscap_double_devices[MOST_DEVICES];
extern File gscap_double_files[MOST_FILES];

/// The device that an open file belongs to; NULL for other files.
Device *gscap_double_device(int file);
/// The device with a device file that has not gone; NULL if there is none.
Device *gscap_double_named(const char *node);
/// Answers a request; returns 0 or the error number.
int gscap_double_answer(Device *device, int file, unsigned long request, void *argument);
/// Makes the owner's file readable or not.
void gscap_double_signal(Device *device);
/// The control of a device; NULL if it has none.
Control *gscap_double_find_control(Device *device, uint32_t id);
/// Answers a request about controls; returns 0, an error number, or -1 for other requests.
int gscap_double_answer_control(Device *device, unsigned long request, void *argument);
/// The code of a format, whose order of colours the flips change.
uint32_t gscap_double_code(Device *device, int format);
