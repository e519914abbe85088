# Bash completion for gscap, printed by: gscap completion bash
_gscap() {
    local word=${COMP_WORDS[COMP_CWORD]} line=() lines=() kind=() ending part
    # Readline splits --option=value into three words, of which "=" is one.
    for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [ ${#line[@]} -gt 0 ] && { [ "$part" = = ] || [[ ${line[-1]} = --*= ]]; }; then
            line[-1]+=$part
        else
            line+=("$part")
        fi
    done
    [ "$word" != = ] || word=
    mapfile -t lines < <("${COMP_WORDS[0]/#\~/$HOME}" completion words -- "${line[@]}" 2>/dev/null)
    read -ra kind <<<"${lines[0]}"
    COMPREPLY=()
    for part in "${lines[@]:1}"; do
        part=${part%%$'\t'*}
        # Only the part behind the equals sign is replaced.
        [[ ${line[-1]} != --*=* ]] || part=${part#*=}
        COMPREPLY+=("$part")
    done
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    case ${kind[0]} in
    folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
    programs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$word") ;;
    files)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
            [ ${#kind[@]} -gt 1 ] || compgen -f -- "$word"
            [ ${#kind[@]} -eq 1 ] || compgen -d -- "$word"
            for ending in "${kind[@]:1}"; do compgen -f -X "!*.$ending" -- "$word"; done
        ) ;;
    esac
    case ${kind[0]} in folders | files) compopt -o filenames 2>/dev/null ;; esac
}
complete -F _gscap gscap
