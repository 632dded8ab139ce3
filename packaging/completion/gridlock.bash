# Completion of gridlock's arguments, from what --help says.

_gridlock_take()
{
    local line
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done
}

# _gridlock_files SUFFIX CURRENT: folders, and files that end so
_gridlock_files()
{
    compopt -o filenames 2>/dev/null
    _gridlock_take < <(compgen -d -- "$2")
    _gridlock_take < <(compgen -f -X "!*$1" -- "$2" | while IFS= read -r file; do
        [[ -d $file ]] || printf '%s\n' "$file"
    done)
}

# An option is one line of this help.
_gridlock_help()
{
    LC_ALL=C ARGP_HELP_FMT=rmargin=10000,opt-doc-col=100 "${COMP_WORDS[0]}" "$@" --help 2>/dev/null
}

# Terms of the page of words; a dash stands for a blank in them.
_gridlock_words()
{
    "${COMP_WORDS[0]}" help words 2>/dev/null | sed -n '/^[a-z]/{s/, /,/g;s/ /-/g;s/,/ /g;p}'
}

_gridlock()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local equals= argument= values= options= operands= choice= line=
    COMPREPLY=()
    # --format=json comes as three words.
    if [[ $current == = ]]; then
        current= equals=yes
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]} equals=yes
    fi
    if [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == help ]]; then
        values=$(_gridlock_help | sed -n 's/^  \([a-z]*\) .*/\1/p')
        [[ $COMP_CWORD -gt 1 ]] && values+=" words $(_gridlock_words)" || values+=' help --help --version'
        _gridlock_take < <(compgen -W "$values" -- "$current")
        return
    fi
    while IFS= read -r line; do
        if [[ $line =~ ^Usage:.*OPTION\.\.\.\]\ ?(.*) ]]; then
            operands=${BASH_REMATCH[1]#[}
        elif [[ $line =~ ^\ \ (-(.),|\ \ \ )\ --([a-z-]+)(\[?)(=([^ ]+))? ]]; then
            options+=" --${BASH_REMATCH[3]}"
            # An optional argument stands behind an equals sign.
            if [[ $previous == "--${BASH_REMATCH[3]}" || $previous == "-${BASH_REMATCH[2]}" ]] &&
                [[ -z ${BASH_REMATCH[4]} || -n $equals ]]; then
                argument=${BASH_REMATCH[6]-}
            fi
        fi
    done < <(_gridlock_help "${COMP_WORDS[1]}")
    if [[ -z $argument && -z $equals ]]; then
        if [[ $current == -* ]]; then
            _gridlock_take < <(compgen -W "$options" -- "$current")
            return
        fi
        argument=$operands
        # One of these words is enough; files may follow it.
        if [[ $operands == *'|'* ]]; then
            argument=${operands%% *}
            for choice in ${argument//|/ }; do
                [[ " ${COMP_WORDS[*]:2:COMP_CWORD-2} " != *" $choice "* ]] || argument=${operands#* [}
            done
        fi
    fi
    values=${argument%,...}
    values=${values%|SELECTOR...}
    values=${values%%[][]*}
    case $argument in
    *'|'*,...)
        local last=${current##*,}
        _gridlock_take < <(compgen -P "${current%"$last"}" -W "${values//|/ }" -- "$last")
        ;;
    *'|'* | [a-z]*) _gridlock_take < <(compgen -W "${values//|/ }" -- "$current") ;;
    RUN* | BASE*) _gridlock_files .gridlock "$current" ;;
    FILE* | LIBRARY*) _gridlock_files '' "$current" ;;
    DIR)
        compopt -o filenames 2>/dev/null
        _gridlock_take < <(compgen -d -- "$current")
        ;;
    SCENARIO*)
        _gridlock_files .ini "$current"
        values=$("${COMP_WORDS[0]}" list 2>/dev/null | sed -n '/^[a-z]/s/ .*//;/^[a-z]/p')
        _gridlock_take < <(compgen -W "$values" -- "$current")
        ;;
    esac
}

complete -F _gridlock gridlock
