#pragma once
#include <libheif/heif.h>

/// The chroma format of grey images, as a typed constant: libheif 1.23 defines its name as a macro of an enumerator,
/// which Swift does not import.
static const enum heif_chroma gscap_heif_monochrome = heif_chroma_monochrome;

/// Lists the functions that are called, without their prefix `heif_`: use(name) is expanded for each.
#define HEIF_FUNCTIONS(use) \
    use(context_add_XMP_metadata) use(context_add_exif_metadata) use(context_alloc) use(context_encode_image) \
    use(context_free) use(context_get_encoder_for_format) use(context_get_list_of_top_level_image_IDs) \
    use(context_get_number_of_top_level_images) use(context_write) use(encoder_release) \
    use(encoder_set_lossy_quality) use(encoder_set_parameter) use(encoding_options_alloc) \
    use(encoding_options_free) use(image_add_plane) use(image_create) use(image_get_plane) \
    use(image_handle_release) use(image_release) use(image_set_content_light_level) \
    use(image_set_nclx_color_profile) use(image_set_raw_color_profile) use(nclx_color_profile_alloc) \
    use(nclx_color_profile_free) \
    use(nclx_color_profile_set_color_primaries) use(nclx_color_profile_set_matrix_coefficients) \
    use(nclx_color_profile_set_transfer_characteristics)

/// The addresses of the functions listed above in the loaded library. Nothing links libheif: only HEIF files need it.
typedef struct {
#define FIELD(name) __typeof__(&heif_##name) name;
    HEIF_FUNCTIONS(FIELD)
#undef FIELD
    /// Returns the item ID of an image; NULL where the library lacks the function, as libheif 1.15 does.
    heif_item_id (*image_handle_get_item_id)(const struct heif_image_handle *handle);
} HEIFFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_heif(const char *library, HEIFFunctions *functions);
