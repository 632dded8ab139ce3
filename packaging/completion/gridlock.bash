# Completion of gridlock's arguments: "gridlock complete" says what the last word can become (src/cli/command.h).

_gridlock_take()
{
    local line
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done
}

_gridlock()
{
    local files= word= words= rest= current=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    {
        IFS= read -r files
        while IFS=$'\t' read -r word rest; do
            [[ $word == -? ]] || words+=" $word"
        done
    } < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # --format=json comes as three words.
    [[ $current != = ]] || current=
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        _gridlock_take < <(compgen -d -- "$current")
    fi
    if [[ $files == files* ]]; then
        _gridlock_take < <(compgen -f -X "!*${files#files }" -- "$current" | while IFS= read -r word; do
            [[ -d $word ]] || printf '%s\n' "$word"
        done)
    fi
    _gridlock_take < <(compgen -W "$words" -- "$current")
}

complete -F _gridlock gridlock
