# Completion of gridlock's arguments: "gridlock complete" says what the last word can become (src/cli/command.h).

function __gridlock
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] complete $words[2..] "$current" 2>/dev/null)
    printf '%s\n' $lines[2..]
    switch "$lines[1]"
        case folders
            __fish_complete_directories
        case 'files *'
            __fish_complete_suffix (string replace 'files ' '' -- $lines[1])
    end
end

complete -c gridlock -f -k -a '(__gridlock)'
