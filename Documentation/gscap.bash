# Bash completion for gscap. Tools/check manual compares its subcommands and options with gscap --help.

_gscap() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options command='' files=''
    local photo='--shutter --iso --ev --white --bracket --merge --flash --file-quality --color --thumbnail --artist'
    photo+=' --title --copyright --location --frames'
    local subcommands='plan inspect fuse develop convert verify finish record devices doctor'
    COMPREPLY=()

    # The value of an option. Readline splits --option=value into three words, of which "=" is one.
    [ "$previous" != = ] || previous=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$word" != = ] || word=
    case $previous in
    --pipeline) _gscap_paths -f "$word"; return ;;
    --output | -o) _gscap_paths -d "$word"; return ;;
    --raw) mapfile -t COMPREPLY < <(compgen -W 'bayer proraw' -- "$word"); return ;;
    --processed)
        options='jpeg png png16 webp tiff tiff16 heif heif10 heif-pq heif-hlg avif avif10 avif-pq avif-hlg jxl exr'
        options+=' uncompressed uncompressed16'
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
        ;;
    --quality)
        [ "${COMP_WORDS[1]}" = develop ] || mapfile -t COMPREPLY < <(compgen -W 'speed balanced quality' -- "$word")
        return
        ;;
    --against) _gscap_paths -f "$word"; return ;;
    --mode) mapfile -t COMPREPLY < <(compgen -W 'speed balanced quality' -- "$word"); return ;;
    --super-resolution) mapfile -t COMPREPLY < <(compgen -W 'auto off 1 1.5 2' -- "$word"); return ;;
    --flash) mapfile -t COMPREPLY < <(compgen -W 'off on auto' -- "$word"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'srgb display-p3 rec2020' -- "$word"); return ;;
    --bracket)
        [ "${COMP_WORDS[1]}" != fuse ] || mapfile -t COMPREPLY < <(compgen -W 'auto on off' -- "$word")
        return
        ;;
    --format) mapfile -t COMPREPLY < <(compgen -W 'jpeg png tiff heic avif exr jxl webp' -- "$word"); return ;;
    --lens-correction) mapfile -t COMPREPLY < <(compgen -W 'auto file lensfun none' -- "$word"); return ;;
    --look)
        _gscap_paths -f "$word"
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W 'file auto none' -- "$word")
        return
        ;;
    --profile | --icc | --preset | --save-preset | --tele) _gscap_paths -f "$word"; return ;;
    --white) mapfile -t COMPREPLY < <(compgen -W 'camera auto' -- "$word"); return ;;
    --space) mapfile -t COMPREPLY < <(compgen -W 'srgb p3 rec2020' -- "$word"); return ;;
    --hdr) mapfile -t COMPREPLY < <(compgen -W 'pq hlg map' -- "$word"); return ;;
    --compression) mapfile -t COMPREPLY < <(compgen -W 'lossless none jpeg-xl' -- "$word"); return ;;
    --encoder) mapfile -t COMPREPLY < <(compgen -W 'openh264 x264' -- "$word"); return ;;
    --after) mapfile -t COMPREPLY < <(compgen -c -- "$word"); return ;;
    --photos | --frames | --name | --set | --var | --timeout | --size | --rate | --bits | --predictor | --reference | \
        --strength | --denoise | --exposure | --pick | --boost | --local | --shadows | --baseline-exposure | \
        --sharpness | --color-denoise | --crop | --hdr-amount | --interval | --shutter | --iso | --ev | \
        --file-quality | --lens | --thumbnail | --look-amount | --device | --artist | --title | --copyright | \
        --location | --duration | --split-time | --split-size | --audio | --bit-rate) return ;;
    esac

    [ "$COMP_CWORD" -eq 1 ] || command=${COMP_WORDS[1]}
    if [ "$command$previous" = convert--preview ]; then
        mapfile -t COMPREPLY < <(compgen -W 'keep full small' -- "$word")
        return
    fi
    case $command in
    plan)
        options='--raw --processed --quality --size --rate --device --no-preview --preview --var --set --launch --json'
        options+=' --constituents --fuse-constituents --zoom --live --motion-photo --deferred'
        options+=" --verbose $photo"
        files=yes
        ;;
    inspect)
        options='--json --verbose --var --set --preview --mattes --depth --original --output --overwrite'
        options+=' --accept-damage'
        files=yes
        ;;
    fuse)
        options='--output --mosaic --reference --mode --strength --denoise --super-resolution --bracket --json'
        options+=' --tele --accept-damage --overwrite --verbose'
        files=yes
        ;;
    develop)
        options='--output --format --look --exposure --white --pick --boost --local --shadows --baseline-exposure'
        options+=' --no-gamut-mapping --linear --sharpness --denoise --color-denoise --no-lens --lens --lens-correction'
        options+=' --look-amount --profile --icc --preset --save-preset --no-sidecar --write-sidecar'
        options+=' --crop --size --space --bits --quality --hdr --hdr-amount --histogram --accept-damage'
        options+=' --json --verbose --overwrite'
        files=yes
        ;;
    convert)
        options='--compression --predictor --bits --quality --preview --accept-damage --strip --output --overwrite'
        options+=' --embed-original --json --verbose'
        files=yes
        ;;
    verify) options='--against --json --verbose' files=yes ;;
    finish) options='--output --keep --json --verbose' files=yes ;;
    record)
        options='--duration --split-time --split-size --press --audio --encoder --bit-rate --device --size --rate'
        options+=' --no-preview --overwrite --json --verbose'
        files=yes
        ;;
    devices | doctor) options='--json --verbose' ;;
    *)
        options='--pipeline --photos --output --name --set --var --quality --preview --no-preview --json --timeout'
        options+=" --verbose --interval --press --raw --processed --device --size --rate --deferred --live $photo"
        options+=' --constituents --fuse-constituents --zoom --motion-photo --overwrite --after'
        [ -n "$command" ] || options="$subcommands $options --version"
        ;;
    esac
    if [ -n "$files" ] && [[ $word != -* ]]; then
        _gscap_paths -f "$word"
    else
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
    fi
    # The first word may also be the file of a pipeline.
    if [ -z "$command" ] && [[ $word != -* ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}

_gscap_paths() { # -f|-d WORD: completes a path to a file or a folder
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

complete -F _gscap gscap
