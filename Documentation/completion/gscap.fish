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
