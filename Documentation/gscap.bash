# Bash completion of gscap.

_gscap() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()

    case $previous in
    --pipeline | inspect)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    --output)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return
        ;;
    --photos | --name | --set | --var | --timeout)
        return
        ;;
    esac

    case ${COMP_WORDS[1]} in
    plan | inspect)
        if [ "$COMP_CWORD" -gt 1 ]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
        fi
        ;;
    devices)
        [ "$COMP_CWORD" -eq 1 ] || return
        ;;
    esac

    local options='--pipeline --photos --output --name --set --var --preview --no-preview --json --timeout --verbose
        --help --version'
    [ "$COMP_CWORD" -gt 1 ] || options+=' plan inspect devices'
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}

complete -F _gscap gscap
