#compdef writ
# Completion of writ for zsh: the program itself says what can stand at the cursor.
#
# The program that PATH has is asked: a ./writ of whatever folder must not start before Enter is pressed.
_writ() {
    local kind candidate value meaning
    local -a answers values meanings given
    given=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    answers=("${(@f)$(_call_program writ command writ complete -- "${(@q)given}" 2>/dev/null)}")
    kind=${answers[1]}
    for candidate in "${(@)answers[2,-1]}"; do
        [[ -n $candidate ]] || continue
        value=${candidate%%$'\t'*} meaning=${candidate#*$'\t'}
        values+=("$value")
        meanings+=("$value${meaning:+  -- $meaning}")
    done
    (( ${#values} )) && compadd -l -d meanings -a values
    case $kind in
    files | folders)
        compset -P '--*='
        [[ $kind == files ]] && _files || _files -/
        ;;
    esac
}
if [[ ${funcstack[1]} == _writ ]]; then
    _writ "$@"
else
    compdef _writ writ
fi
