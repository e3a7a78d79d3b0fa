# Completion of writ for fish: the program itself says what can stand at the cursor.
#
# The program that PATH has is asked: a ./writ of whatever folder must not start before Enter is pressed.
function __writ_answers
    set -l words (commandline -opc) (commandline -ct)
    command writ complete -- $words[2..-1] 2>/dev/null
end
function __writ_words
    set -l answers (__writ_answers)
    for answer in $answers[2..-1]
        printf '%s\n' $answer
    end
    set -l value (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    set -l front (string sub -l (math (string length -- (commandline -ct)) - (string length -- $value)) -- (commandline -ct))
    switch "$answers[1]"
        case files
            for path in (__fish_complete_path $value)
                printf '%s\n' $front$path
            end
        case folders
            for path in (__fish_complete_directories $value '')
                printf '%s\n' $front$path
            end
    end
end
complete -c writ -f -a '(__writ_words)'
