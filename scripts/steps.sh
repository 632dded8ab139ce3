# What scripts/setup and scripts/test share; they read it.

# logged LOG WORDS COMMAND...: prints WORDS and runs the command. What that prints goes to the file LOG, and is shown if it
# fails; the status is the command's.
logged() {
    log=$1
    echo "$2 (log: $log)"
    shift 2
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null && return 0 || failed=$?
    cat "$log" >&2
    return "$failed"
}
