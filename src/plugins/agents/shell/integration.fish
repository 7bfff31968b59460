# termic's part of an interactive fish, sourced by --init-command once the user's own config.fish was read. It adds:
#   marks   OSC 133 and 633 around prompts and commands, each with this pane's nonce
#   inbox   private keys: ESC [ 9137 ~ puts the prompt of <pane>/inbox into the command line, ESC [ 9138 ~ executes it

set -g --unexport __termic_file (status filename)
set -g --unexport __termic_inbox (string replace -r '/[^/]*/[^/]*$' '' -- $__termic_file)/inbox
set -g --unexport __termic_nonce
set -g --unexport __termic_loaded
set -g --unexport termic_prompt

# Above this a short line that evaluates the text is entered: fish draws all of it, twice (0.1 s for 64 KB, 7 s for 1 MB).
set -g --unexport __termic_direct_limit 16384

function __termic_start
    set -l file (string replace -r '[^/]*$' '' -- $__termic_file)nonce
    builtin read -g --unexport __termic_nonce <$file
    true >$file
    test -n "$__termic_nonce"; or return
    for mode in default insert visual
        bind -M $mode \e\[9137~ __termic_deliver
        bind -M $mode \e\[9138~ __termic_enter
    end
end

function __termic_before_prompt --on-event fish_prompt
    set -g --unexport __termic_armed 0
    __termic_wrap_prompt
    builtin printf '\e]7;file://%s%s\a\e]133;A;n=%s\a' $hostname (string escape --style=url -- $PWD | string join %0A) $__termic_nonce
end

# Ctrl-C at the prompt shows it again without that event.
function __termic_after_cancel --on-event fish_cancel
    builtin printf '\e]133;A;n=%s\a' $__termic_nonce
end

function __termic_before_command --on-event fish_preexec
    set -l text "$argv"
    test -n "$termic_prompt"; and set text $termic_prompt
    builtin printf '\e]633;E;%s;%s\a\e]133;C;n=%s\a' "$(__termic_escape "$text")" $__termic_nonce $__termic_nonce
end

function __termic_after_command --on-event fish_postexec
    set -l code $status
    # A comment alone leaves the status of what was run before.
    string match -qvr '^\s*(#.*)?$' -- (string split \n -- "$argv"); or set code 0
    builtin printf '\e]133;D;%s;n=%s\a' $code $__termic_nonce
    set -g termic_prompt
end

# The first key. A person's draft is left alone, and an id is taken once in the life of this shell.
function __termic_deliver
    set -l inbox
    set -g --unexport __termic_armed 0
    builtin read -z inbox <$__termic_inbox; or return
    set inbox (string split -m 1 \n -- $inbox)
    set -l id $inbox[1]
    set -l answer loaded
    if test -n "$(commandline)"
        set answer draft
    else if contains -- $id $__termic_loaded
        set answer duplicate
    else
        set -g -a __termic_loaded $id
        commandline -r -- $inbox[2]
        if not commandline --is-valid
            set answer invalid
        else if test (string length -- "$inbox[2]") -gt $__termic_direct_limit
            set -g --unexport termic_prompt $inbox[2]
            commandline -r -- ' eval $termic_prompt'
        else
            # No word is at the cursor then, which would be expanded if it were an abbreviation. History drops the blank.
            commandline -a -- ' '
        end
        commandline -C (string length -- "$inbox[2] ")
    end
    builtin printf '\e]633;T;%s;%s;%s\a' $answer $id $__termic_nonce
    switch $answer
        case loaded
            set -g __termic_armed 1
        case invalid
            # fish shows what is wrong and goes on editing: give up as a person would.
            commandline -f execute
            commandline -f cancel-commandline
    end
end

# The second key, in the same write: without the first one's word it does nothing.
function __termic_enter
    test "$__termic_armed" = 1; and commandline -f execute
    set -g __termic_armed 0
end

# $argv[1] as a field of a mark: the first 800 characters, without `;`, `\` and control characters.
function __termic_escape
    string sub -l 800 -- "$argv[1]" |
        string replace -a '\\' '\\\\' |
        string replace -a ';' '\x3b' |
        string replace -a \t '\x09' |
        string replace -ar '[[:cntrl:]]' '?' |
        string join '\x0a' |
        string trim -rc ' '
end

# A prompt is known to be displayed by what it ends with. config.fish, themes and users define fish_prompt anew at any time.
function __termic_wrap_prompt
    # Its description is the only thing that tells a function defined at run time from another.
    set -l details (functions --details --verbose fish_prompt)
    test "$details[5]" = 'prompt with termic\'s mark'; and return
    functions -e __termic_their_prompt
    if functions -q fish_prompt
        functions -c fish_prompt __termic_their_prompt
    else
        function __termic_their_prompt
        end
    end
    function fish_prompt --description 'prompt with termic\'s mark'
        __termic_their_prompt
        builtin printf '\e]133;B;n=%s\a' $__termic_nonce
    end
end

__termic_start
