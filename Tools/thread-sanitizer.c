// Preloaded into the thread sanitizer's test run. GLib's locks are futexes that the sanitizer cannot see, so whatever they
// guard looks like a race; here each lock tells it who waits for whom. GLib calls itself directly, so only calls from
// GStreamer and from us come by.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>

// Defined by the sanitizer in the test program, absent in every other program that this is loaded into.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static void acquire(void *lock) {
    if (__tsan_acquire) __tsan_acquire(lock);
}

static void release(void *lock) {
    if (__tsan_release) __tsan_release(lock);
}

#define REAL(type, name) \
    static type (*real)(); \
    if (!real) real = (type(*)())dlsym(RTLD_NEXT, name)

#define LOCK(function, type) \
    void function(type *lock) { \
        REAL(void, #function); \
        real(lock); \
        acquire(lock); \
    }

#define TRY(function, type) \
    gboolean function(type *lock) { \
        REAL(gboolean, #function); \
        gboolean locked = real(lock); \
        if (locked) acquire(lock); \
        return locked; \
    }

#define UNLOCK(function, type) \
    void function(type *lock) { \
        REAL(void, #function); \
        release(lock); \
        real(lock); \
    }

LOCK(g_mutex_lock, GMutex)
TRY(g_mutex_trylock, GMutex)
UNLOCK(g_mutex_unlock, GMutex)
LOCK(g_rec_mutex_lock, GRecMutex)
TRY(g_rec_mutex_trylock, GRecMutex)
UNLOCK(g_rec_mutex_unlock, GRecMutex)
LOCK(g_rw_lock_writer_lock, GRWLock)
TRY(g_rw_lock_writer_trylock, GRWLock)
UNLOCK(g_rw_lock_writer_unlock, GRWLock)
LOCK(g_rw_lock_reader_lock, GRWLock)
TRY(g_rw_lock_reader_trylock, GRWLock)
UNLOCK(g_rw_lock_reader_unlock, GRWLock)

void g_cond_wait(GCond *condition, GMutex *lock) {
    REAL(void, "g_cond_wait");
    release(lock);
    real(condition, lock);
    acquire(lock);
}

gboolean g_cond_wait_until(GCond *condition, GMutex *lock, gint64 end) {
    REAL(gboolean, "g_cond_wait_until");
    release(lock);
    gboolean signalled = real(condition, lock, end);
    acquire(lock);
    return signalled;
}
