#include <CSharedLibrary.h>
#include <stddef.h>

#include "CHEIF.h"

const char *gscap_load_heif(const char *library, HEIFFunctions *functions) {
#define NAME(name) "heif_" #name,
    static const char *const names[] = {HEIF_FUNCTIONS(NAME)};
#undef NAME
    const char *failure = gscap_load(library, names, functions, offsetof(HEIFFunctions, image_handle_get_item_id));
    if (failure != NULL) return failure;
    static const char *const optional[] = {"heif_image_handle_get_item_id"};
    functions->image_handle_get_item_id = NULL;
    gscap_load(
        library, optional, &functions->image_handle_get_item_id, sizeof functions->image_handle_get_item_id);
    return NULL;
}
