# Completion of writ for bash: the program itself says what can stand at the cursor.
#
# bash breaks words at `=`, `:` and `@` where it has them in COMP_WORDBREAKS; the line is put together again before it is
# handed over, and what bash has already kept as words of their own is taken off the front of each candidate.
#
# The program that PATH has is asked: a ./writ of whatever folder must not start before Enter is pressed.

# The quote that is open at the end of a word; `$'` where such a one was opened.
_writ_quote() {
    local i character
    quote=
    for ((i = 0; i < ${#1}; i++)); do
        character=${1:i:1}
        if [[ $character == \\ && $quote != \' ]]; then
            ((++i))
        elif [[ -z $quote && ${1:i:2} == "\$'" ]]; then
            quote="\$'"
            return
        elif [[ -z $quote && $character == [\"\'] ]]; then
            quote=$character
        elif [[ $character == "$quote" ]]; then
            quote=
        fi
    done
}

# Puts into `word` how the candidate is written on the line.  Within quotes it stands as it is; false where that would
# end them or be obeyed.
_writ_word() {
    case $quote in
        "") printf -v word '%q' "$1" ;;
        \') word=$1 && [[ $1 != *[\'\\]* ]] ;;
        \") word=$1 && [[ $1 != *[\"\\\$\`\!]* ]] ;;
        *) false ;;
    esac
}

_writ() {
    local line=${COMP_LINE:0:COMP_POINT} kind candidate current=${COMP_WORDS[COMP_CWORD]} whole front
    local -a words=() answers=()
    local i word joined= quote
    COMPREPLY=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        # A word that is a break character, or follows one without a space, goes on with the one before.
        if [[ $i -gt 1 && -n $joined ]] && [[ $word =~ ^[=:@]+$ || ${COMP_WORDS[i - 1]} =~ ^[=:@]+$ ]] &&
            [[ $line == *"${COMP_WORDS[i - 1]}$word"* ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        joined=1
    done
    [[ ${#words[@]} -gt 0 ]] || words=("")
    whole=${words[${#words[@]} - 1]}
    _writ_quote "$current"
    [[ $current =~ ^[=:@]+$ ]] && current=
    # Quotes and backslashes of the line are not part of the word.
    for ((i = 0; i < ${#words[@]}; i++)); do
        words[i]=${words[i]//[\"\'\\]/}
    done
    whole=${whole//[\"\'\\]/}
    front=${whole%"${current//[\"\'\\]/}"}
    # Readline keeps an `@` with what follows it.
    front=${front%@}
    {
        IFS= read -r kind
        while IFS= read -r candidate; do
            answers+=("${candidate%%$'\t'*}")
        done
    } < <(command writ complete -- "${words[@]}" 2>/dev/null)
    for candidate in "${answers[@]}"; do
        _writ_word "${candidate#"$front"}" && COMPREPLY+=("$word")
    done
    if [[ $kind == files || $kind == folders ]]; then
        compopt -o filenames 2>/dev/null
        [[ $kind == files ]] && kind=-f || kind=-d
        # Of `--name=value` the value alone is a path.
        current=$whole
        [[ $current == --*=* ]] && current=${current#*=}
        while IFS= read -r candidate; do
            candidate=${whole%"$current"}$candidate
            COMPREPLY+=("${candidate#"$front"}")
        done < <(compgen "$kind" -- "$current")
    elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _writ writ
