#include <CSharedLibrary.h>

#include "CWebP.h"

const char *gscap_load_webp(const char *library, WebPFunctions *functions) {
#define NAME(name) "WebP" #name,
    static const char *const names[] = {WEBP_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}

int gscap_webp_init(const WebPFunctions *functions, WebPConfig *config, WebPPicture *picture, float quality) {
    return functions->ConfigInitInternal(config, WEBP_PRESET_PHOTO, quality, WEBP_ENCODER_ABI_VERSION) &&
           functions->PictureInitInternal(picture, WEBP_ENCODER_ABI_VERSION);
}
