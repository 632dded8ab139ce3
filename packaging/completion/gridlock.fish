# Completion of gridlock's arguments, from what --help says.

function __gridlock_begins
    test (count (commandline -opc)) -eq 1
end

function __gridlock_uses
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

function __gridlock_scenarios
    set -l words (commandline -opc)
    $words[1] list 2>/dev/null | string match -r '^[a-z]\w*'
end

# Terms of the page of words; a dash stands for a blank in them.
function __gridlock_help_words
    gridlock help words 2>/dev/null | string match -r '^[a-z].*' | string split ', ' | string replace -a ' ' '-'
end

# An option is one line of this help.
function __gridlock_help
    LC_ALL=C ARGP_HELP_FMT=rmargin=10000,opt-doc-col=100 gridlock $argv --help 2>/dev/null
end

# What `complete` takes for an argument that help shows so.
function __gridlock_action
    set -l values (string replace -r ',\.\.\.$|\|SELECTOR\.\.\.$' '' -- $argv[1] | string replace -r '[][].*' '')
    switch $argv[1]
        case '*|*' 'any*'
            printf '%s\n' -a (string replace -a '|' ' ' -- $values)
        case 'DIR*'
            printf '%s\n' -a '(__fish_complete_directories)'
        case 'RUN*' 'BASE*'
            printf '%s\n' -k -a '(__fish_complete_suffix .gridlock)'
        case 'SCENARIO*'
            printf '%s\n' -k -a '(__gridlock_scenarios; __fish_complete_suffix .ini)'
        case 'FILE*' 'LIBRARY*'
            printf '%s\n' -r -F
    end
end

function __gridlock_operands
    set -l only "__gridlock_uses $argv[1]"
    # One of several words is enough; files may follow it.
    if string match -q '*|*' -- $argv[2]
        set -l chosen "__fish_seen_subcommand_from "(string replace -r ' .*' '' -- $argv[2] | string replace -a '|' ' ')
        string match -q '*FILE*' -- $argv[2]; and complete -c gridlock -n "$only; and $chosen" -r -F
        set only "$only; and not $chosen"
    end
    set -l action (__gridlock_action $argv[2])
    test -z "$action"; or complete -c gridlock -n $only $action
end

function __gridlock_option
    set -l argument
    if test -n "$argv[5]"
        set argument (__gridlock_action $argv[5])
        test -n "$argv[4]"; or contains -- -F $argument; or set argument -x $argument
    end
    string match -qr '[a-z]' -- $argv[2]; and set argument -s $argv[2] $argument
    complete -c gridlock -n "__gridlock_uses $argv[1]" -l $argv[3] -d $argv[6] $argument
end

complete -c gridlock -f
complete -c gridlock -n __gridlock_begins -l help -d 'Show the commands'
complete -c gridlock -n __gridlock_begins -s V -l version -d 'Show the version'
complete -c gridlock -n __gridlock_begins -a help -d 'explains a command, or words'
complete -c gridlock -n '__gridlock_uses help' -a 'words (__gridlock_help_words)'
for line in (__gridlock_help)
    set -l command (string match -r '^  ([a-z]+) +(.*)' -- $line); or continue
    complete -c gridlock -n __gridlock_begins -a $command[2] -d $command[3]
    for line in (__gridlock_help $command[2])
        if set -l usage (string match -r '^Usage:.*OPTION\.\.\.\] \[?(.*)' -- $line)
            __gridlock_operands $command[2] $usage[2]
        else if set -l option (string match -r '^  (?|-(.),|   ()) --([a-z-]+)(\[?)(?|=(\S+)|()) +(.*)' -- $line)
            __gridlock_option $command[2] $option[2..]
        end
    end
end
