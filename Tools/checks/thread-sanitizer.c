// A library that is preloaded into test runs under the thread sanitizer. GLib's locks are futexes that the sanitizer
// does not recognise, so it reports accesses that they guard as races. The wrappers below announce each lock operation
// to the sanitizer. GLib's internal calls bypass them, so they cover calls from GStreamer and from gscap only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

// Defined by the sanitizer in the test program; null in other programs that the library is preloaded into.
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

// Swift's Mutex is a futex too. The sanitizer recognises the atomic operations of an uncontended lock, which are
// inlined; a contended lock is acquired and released in the runtime's library, which is not instrumented.
#define SELF __attribute__((swift_context))

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, SELF void *lock) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) bool try_lock_slowly(SELF void *lock) __asm__(
    "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
__attribute__((swiftcall)) void unlock_slowly(SELF void *lock) __asm__(
    "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

typedef __attribute__((swiftcall)) void (*LockSlowly)(uint32_t thread, SELF void *lock);
typedef __attribute__((swiftcall)) bool (*TryLockSlowly)(SELF void *lock);
typedef __attribute__((swiftcall)) void (*UnlockSlowly)(SELF void *lock);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, SELF void *lock) {
    static LockSlowly real;
    if (!real) real = (LockSlowly)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real(thread, lock);
    acquire(lock);
}

__attribute__((swiftcall)) bool try_lock_slowly(SELF void *lock) {
    static TryLockSlowly real;
    if (!real) real = (TryLockSlowly)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool locked = real(lock);
    if (locked) acquire(lock);
    return locked;
}

__attribute__((swiftcall)) void unlock_slowly(SELF void *lock) {
    static UnlockSlowly real;
    if (!real) real = (UnlockSlowly)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    release(lock);
    real(lock);
}
