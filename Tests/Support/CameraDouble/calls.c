// The calls of the C library that the linker redirects.
#define _GNU_SOURCE
#include "device.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
int __real_close(int file);
int __real_ioctl(int file, unsigned long request, ...);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_poll(struct pollfd *files, nfds_t count, int timeout);
DIR *__real_opendir(const char *path);
FILE *__real_fopen(const char *path, const char *mode);
int __real_stat(const char *path, struct stat *information);
ssize_t __real_readlink(const char *path, char *target, size_t size);
int __real_inotify_add_watch(int file, const char *path, uint32_t mask);

static const char device_folder[] = "/dev/";
static const char system_folder[] = "/sys/class/video4linux/";

static bool is_camera(const char *path) {
    return gscap_double_root && !strncmp(path, "/dev/video", 10);
}

/// The place of a path in the double's folder, or the path itself if it is not the double's.
static const char *place(const char *path, char *memory, size_t size) {
    const char *root = gscap_double_root;
    if (!root || (strcmp(path, "/dev") && !is_camera(path) &&
                  strncmp(path, system_folder, sizeof system_folder - 1)))
        return path;
    snprintf(memory, size, "%s%s", root, path);
    return memory;
}

Device *gscap_double_device(int file) {
    return file >= 0 && file < MOST_FILES ? gscap_double_files[file].device : NULL;
}

static int open_camera(const char *path, int flags) {
    int ends[2], error = 0;
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = gscap_double_named(path + sizeof device_folder - 1);
    if (!device)
        error = ENOENT;
    else if (device->behaviour.open_error)
        error = device->behaviour.open_error;
    else if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends))
        error = errno;
    else if (ends[0] >= MOST_FILES || !(flags & O_NONBLOCK))
        error = EMFILE;
    else
        gscap_double_files[ends[0]] = (File){ device, ends[1] };
    pthread_mutex_unlock(&gscap_double_lock);
    errno = error;
    return error ? -1 : ends[0];
}

int __wrap_open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return is_camera(path) ? open_camera(path, flags) : __real_open(path, flags, mode);
}

int __wrap_close(int file) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = gscap_double_device(file);
    if (device) {
        // The kernel ends the stream and frees the buffers of the file that has requested them.
        if (device->owner == file) {
            device->buffer_count = 0;
            device->is_streaming = false;
            device->owner = -1;
        }
        __real_close(gscap_double_files[file].other);
        gscap_double_files[file] = (File){ 0 };
    }
    pthread_mutex_unlock(&gscap_double_lock);
    return __real_close(file);
}

int __wrap_ioctl(int file, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = gscap_double_device(file);
    int error = device ? gscap_double_answer(device, file, request, argument) : 0;
    pthread_cond_broadcast(&gscap_double_change);
    pthread_mutex_unlock(&gscap_double_lock);
    if (!device)
        return __real_ioctl(file, request, argument);
    errno = error;
    return error ? -1 : 0;
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = gscap_double_device(file);
    void *memory = __real_mmap(address, size, protection, flags, device ? device->memory : file, offset);
    pthread_mutex_unlock(&gscap_double_lock);
    return memory;
}

static void count_pollers(struct pollfd *files, nfds_t count, int step) {
    pthread_mutex_lock(&gscap_double_lock);
    for (nfds_t i = 0; i < count; i++) {
        Device *device = gscap_double_device(files[i].fd);
        if (!device)
            continue;
        device->pollers += step;
        if (step < 0 && device->is_gone)
            files[i].revents = POLLERR;
    }
    pthread_cond_broadcast(&gscap_double_change);
    pthread_mutex_unlock(&gscap_double_lock);
}

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout) {
    count_pollers(files, count, 1);
    int result = __real_poll(files, count, timeout);
    int error = errno;
    count_pollers(files, count, -1);
    errno = error;
    return result;
}

DIR *__wrap_opendir(const char *path) {
    char memory[8192];
    return __real_opendir(place(path, memory, sizeof memory));
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    char memory[8192];
    return __real_fopen(place(path, memory, sizeof memory), mode);
}

int __wrap_stat(const char *path, struct stat *information) {
    char memory[8192];
    int result = __real_stat(place(path, memory, sizeof memory), information);
    if (result || !is_camera(path))
        return result;
    pthread_mutex_lock(&gscap_double_lock);
    Device *device = gscap_double_named(path + sizeof device_folder - 1);
    information->st_mode = S_IFCHR | 0660;
    information->st_rdev = makedev(81, device ? (unsigned)(device - gscap_double_devices) : 255);
    information->st_gid = device ? device->behaviour.group : 0;
    pthread_mutex_unlock(&gscap_double_lock);
    return 0;
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size) {
    // Another program that has the double's device file open has it open at its real place.
    ssize_t count = __real_readlink(path, target, size);
    const char *root = gscap_double_root;
    size_t length = root ? strlen(root) : 0;
    if (!length || count < (ssize_t)length || strncmp(target, root, length))
        return count;
    memmove(target, target + length, (size_t)count - length);
    return count - (ssize_t)length;
}

int __wrap_inotify_add_watch(int file, const char *path, uint32_t mask) {
    char memory[8192];
    return __real_inotify_add_watch(file, place(path, memory, sizeof memory), mask);
}
