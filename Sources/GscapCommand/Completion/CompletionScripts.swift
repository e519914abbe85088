/// The completions of the shells. Each asks `gscap completion words` for what may stand at the cursor.
enum CompletionScripts {
    static let all = ["bash": bash, "zsh": zsh, "fish": fish]

    private static let bash = #"""
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
        """#

    private static let zsh = #"""
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
        """#

    private static let fish = #"""
        # Fish completion for gscap, printed by: gscap completion fish
        function __gscap_complete
            set -l line (commandline -opc) (commandline -ct)
            set -l lines ($line[1] completion words -- $line[2..] 2>/dev/null)
            set -l kind (string split ' ' -- $lines[1])
            printf '%s\n' $lines[2..]
            switch "$kind[1]"
                case folders
                    __fish_complete_directories (commandline -ct)
                case programs
                    __fish_complete_command
                case files
                    # Folders, whose names end with a slash, and the files with these endings, or all.
                    set -l ending '\.(?:'(string join '|' -- $kind[2..])')'
                    test (count $kind) -gt 1; or set ending '[^/]'
                    __fish_complete_path (commandline -ct) | string match -r -- '^[^\t]*(?:/|'$ending')(?:\t.*)?$'
            end
        end
        complete -c gscap -f -a '(__gscap_complete)'
        """#
}
