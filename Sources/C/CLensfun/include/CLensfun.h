#pragma once
#include <lensfun/lensfun.h>

/// Lists the functions that are called, without their prefix `lf_`: use(name) is expanded for each.
#define LENSFUN_FUNCTIONS(use) \
    use(db_destroy) use(db_find_cameras_ext) use(db_find_lenses_hd) use(db_load) use(db_new) use(free) \
    use(lens_interpolate_distortion) use(lens_interpolate_tca) use(lens_interpolate_vignetting) use(mlstr_get)

/// The addresses of the functions listed above in the loaded library. Nothing links Lensfun: only photos without lens
/// corrections in their files need it.
typedef struct {
#define FIELD(name) __typeof__(&lf_##name) name;
    LENSFUN_FUNCTIONS(FIELD)
#undef FIELD
} LensfunFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_lensfun(const char *library, LensfunFunctions *functions);
