#pragma once

// The functions of LibRaw's C interface that are called. They are declared here, not by LibRaw's headers, because one
// build works with several releases of LibRaw, whose structs differ. A photo's data is therefore an untyped pointer;
// `LibRawLayout.swift` has the offsets of its fields.

/// Called by LibRaw when it finds damaged data, with the context of `set_dataerror_handler`. The third argument, an
/// offset in the file, has another type in each release and is left out.
typedef void (*LibRawDamageHandler)(void *context, const char *file);

/// Lists the functions that are called, without their prefix `libraw_`: use(result, name, arguments) is expanded for
/// each.
#define LIBRAW_FUNCTIONS(use) \
    use(int, COLOR, (void *photo, int row, int column)) use(void, close, (void *photo)) \
    use(float, get_cam_mul, (void *photo, int index)) use(int, get_color_maximum, (void *photo)) \
    use(void *, get_imgother, (void *photo)) use(void *, get_iparams, (void *photo)) \
    use(void *, get_lensinfo, (void *photo)) use(int, get_raw_height, (void *photo)) \
    use(int, get_raw_width, (void *photo)) use(float, get_rgb_cam, (void *photo, int row, int column)) \
    use(void *, init, (unsigned options)) use(int, open_file, (void *photo, const char *path)) \
    use(void, set_dataerror_handler, (void *photo, LibRawDamageHandler handler, void *context)) \
    use(const char *, strerror, (int error)) use(int, unpack, (void *photo)) use(const char *, version, (void)) \
    use(int, versionNumber, (void))

/// The addresses of the functions listed above in the loaded library. Nothing links LibRaw: only cameras' own raw files
/// need it.
typedef struct {
#define FIELD(result, name, arguments) result(*name) arguments;
    LIBRAW_FUNCTIONS(FIELD)
#undef FIELD
} LibRawFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_libraw(const char *library, LibRawFunctions *functions);
