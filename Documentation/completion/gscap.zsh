#compdef gscap
# Zsh completion for gscap, printed by: gscap completion zsh
_gscap() {
    local -a lines kind candidates
    local line
    lines=("${(@f)$("${(Q)words[1]/#\~/$HOME}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    kind=(${=lines[1]})
    for line in "${(@)lines[2,-1]}"; do
        # A colon separates the word from its description.
        line=${line//:/\\:}
        candidates+=("${line/$'\t'/:}")
    done
    if [[ ${candidates[1]} = *= ]]; then
        _describe gscap candidates -S ''
    elif (( $#candidates )); then
        _describe gscap candidates
    fi
    [[ -z $PREFIX || $PREFIX != --*=* ]] || compset -P 1 '*='
    case ${kind[1]} in
    folders) _files -/ ;;
    programs) _command_names ;;
    files) if (( $#kind > 1 )); then _files -g "*.(${(j:|:)kind[2,-1]})"; else _files; fi ;;
    esac
}
if [ "$funcstack[1]" = _gscap ]; then _gscap "$@"; else compdef _gscap gscap; fi
