# termic's part of an interactive bash, given to it as --rcfile. It reads the user's own rc file and adds:
#   marks   OSC 133 and 633 around prompts and commands, each with this pane's nonce
#   inbox   private keys: ESC [ 9137 ~ puts the prompt of <pane>/inbox into the line editor, ESC [ 9138 ~ enters it
#
# Two keys, since a `bind -x` command can't enter the line, and a macro of two leaks a level of readline's macro stack each
# time that Ctrl-C hits it (measured: dead after 16). The second does nothing unless the first has just loaded a prompt.
#
# Functions are defined before the user's rc file is read, so that no alias of theirs gets into them. They must hold
# under `set -eu`, a changed IFS and LC_ALL=C, and they end with 0: under `set -e` a failing PROMPT_COMMAND ends the shell.
# Marks go to /dev/tty, since the user may `exec >file`. `{ …; } 2>/dev/null` around a call hides it from `set -x`.

__termic_dir=${BASH_SOURCE[0]%/*}
__termic_nonce=
IFS= builtin read -r __termic_nonce 2>/dev/null <"$__termic_dir/nonce"
: >|"$__termic_dir/nonce"
__termic_inbox=${__termic_dir%/*}/inbox

# Prompts name this variable instead of holding the nonce: a nested shell that inherits an exported PS1 prints nothing.
__termic_open=$'\e]133;B;n='$__termic_nonce$'\a'
__termic_more_mark=$'\e]133;A;k=s;n='$__termic_nonce$'\a'
__termic_set=1
__termic_ran=0
__termic_more=0
__termic_status=0
__termic_history=0
__termic_pending=
__termic_loaded=:
__termic_second=
termic_prompt=

# Above this a short line that evaluates the text is entered: readline's display is quadratic (40 ms for 64 KB, 7 s for 1 MB)
# and each line of the prompt costs a fork for its mark.
__termic_direct_limit=16384

# Sets REPLY to $1 as a field of a mark: the first 800 characters, without `;`, `\` and control characters.
__termic_escape() {
  local code character
  REPLY=${1:0:800}
  REPLY=${REPLY//\\/\\\\}
  REPLY=${REPLY//;/\\x3b}
  REPLY=${REPLY//$'\n'/\\x0a}
  if [[ $REPLY == *[[:cntrl:]]* ]]; then
    for code in {1..31} 127; do
      builtin printf -v code '%02x' "$code"
      builtin printf -v character "\\x$code"
      REPLY=${REPLY//"$character"/"\\x$code"}
    done
    REPLY=${REPLY//[[:cntrl:]]/?}
  fi
}

# Sets REPLY to $PWD as the path of a file URL, byte by byte.
__termic_path() {
  local LC_ALL=C index character
  REPLY=
  if [[ $PWD != *[!a-zA-Z0-9/._~-]* ]]; then
    REPLY=$PWD
    return 0
  fi
  for ((index = 0; index < ${#PWD}; index++)); do
    character=${PWD:index:1}
    case $character in
      [a-zA-Z0-9/._~-]) ;;
      # A byte above 127 comes out negative.
      *) builtin printf -v character '%d' "'$character"; builtin printf -v character '%%%02X' "$((character & 255))" ;;
    esac
    REPLY+=$character
  done
}

# Runs in the subshell of PS0, before each command: says what is run. A line that the history left out (HISTCONTROL,
# HISTIGNORE) can't be told from the one before it, so it goes without its text.
__termic_started() {
  builtin set +aeux
  local entry number text= REPLY IFS=$' \t\n'
  if [[ $__termic_ran == 0 ]]; then text=$__termic_pending; fi
  if [[ -z $text ]]; then
    HISTTIMEFORMAT=
    entry=$(builtin history 1)
    if [[ $entry =~ ^\ *([0-9]+)[*]?\ \ (.*)$ ]]; then
      number=${BASH_REMATCH[1]}
      if [[ $number != "$__termic_history" || ${HISTCONTROL-} == ignoredups && -z ${HISTIGNORE-} ]]; then
        text=${BASH_REMATCH[2]}
      fi
    fi
  fi
  if [[ -n $text ]]; then
    __termic_escape "$text"
    builtin printf '\e]633;E;%s;%s\a' "$REPLY" "$__termic_nonce"
  fi
  builtin printf '\e]133;C;n=%s\a' "$__termic_nonce"
}

# The last of PROMPT_COMMAND, before each prompt.
__termic_prompt() {
  local status=$? -
  builtin set +aeux
  local marks= REPLY IFS=$' \t\n'
  # Nothing ran, but the status changed (Ctrl-C, a line that does not parse), or a delivered line came to nothing. Bash
  # sets 2 for a line that does not parse and leaves the status alone for a comment.
  if [[ $__termic_ran == 1 || $status != "$__termic_status" ]]; then
    builtin printf -v marks '\e]133;D;%d;n=%s\a' "$status" "$__termic_nonce"
  elif [[ -n $__termic_pending ]]; then
    if [[ $status == 2 ]] && ! __termic_is_comment "$__termic_pending"; then
      builtin printf -v marks '\e]133;D;2;n=%s\a' "$__termic_nonce"
    else
      builtin printf -v marks '\e]133;D;0;n=%s\a' "$__termic_nonce"
    fi
  fi
  __termic_status=$status
  __termic_ran=0
  __termic_pending=
  termic_prompt=
  __termic_then redraw-current-line
  __termic_history=$((HISTCMD - 1))
  __termic_path
  builtin printf '%s\e]7;file://%s%s\a\e]133;A;n=%s\a' "$marks" "${HOSTNAME-}" "$REPLY" "$__termic_nonce" >/dev/tty
  __termic_install
  return 0
}

__termic_is_comment() {
  local line
  while IFS= builtin read -r line; do
    [[ $line =~ ^[[:space:]]*(#.*)?$ ]] || return 1
  done <<<"$1"
}

# Puts the hooks where they belong, again before each prompt: rc files and prompt themes assign these variables anew.
__termic_install() {
  local hook='{ __termic_prompt; } 2>/dev/null' index last=
  # Without it the prompts would show their variables instead of expanding them.
  builtin shopt -s promptvars
  if [[ ${PS1-} != *'${__termic_open-}'* ]]; then
    PS1=${PS1-}'\[${__termic_open-}${__termic_set+${__termic_set:$((__termic_more=0,0)):0}}\]'
  fi
  if [[ ${PS2-} != *'${__termic_more_mark-}'* ]]; then
    PS2=${PS2-}'\[${__termic_more_mark-}${__termic_set+${__termic_set:$((__termic_more=1,0)):0}}\]'
  fi
  # PS0 runs in a subshell, where nothing can be kept: the arithmetic of a substring is evaluated in the shell itself.
  if [[ ${PS0-} != *__termic_started* ]]; then
    PS0=${PS0-}'${__termic_set+$({ __termic_started; } 2>/dev/null)${__termic_set:$((__termic_ran=1,0)):0}}'
  fi
  if ((BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1)); then
    for index in "${!PROMPT_COMMAND[@]}"; do
      last=$index
      if [[ ${PROMPT_COMMAND[index]} == "$hook" ]]; then builtin unset "PROMPT_COMMAND[$index]"; fi
    done
    # Never element 0: that is what PROMPT_COMMAND=… replaces.
    PROMPT_COMMAND[last + 1]=$hook
  elif [[ ${PROMPT_COMMAND-} != *"$hook" ]]; then
    PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}$hook
  fi
  return 0
}

# What the second key does: enter the line, or nothing.
__termic_then() {
  local keymap
  if [[ $__termic_second == "$1" ]]; then return 0; fi
  __termic_second=$1
  for keymap in emacs vi-insert vi-command; do
    builtin bind -m "$keymap" "\"\\e[9138~\": $1"
  done
}

# The first key. A person's draft is left alone, and an id is taken once in the life of this shell.
__termic_deliver() {
  # Before `local -`, which would put it back: what is delivered must not be expanded as history.
  builtin set +H
  local -
  builtin set +aeux
  local IFS=$' \t\n' id= text=() answer
  { IFS= builtin read -r id; builtin mapfile -d '' -n 1 text; } <"$__termic_inbox"
  __termic_then redraw-current-line
  if [[ -z $id ]]; then return 0; fi
  if [[ -n $READLINE_LINE || $__termic_more == 1 ]]; then
    answer=draft
  elif [[ $__termic_loaded == *":$id:"* ]]; then
    answer=duplicate
  else
    answer=loaded
    __termic_loaded+=$id:
    __termic_install
    __termic_pending=${text[0]:- }
    if ((${#__termic_pending} > __termic_direct_limit)); then
      termic_prompt=$__termic_pending
      builtin declare -g +x termic_prompt
      READLINE_LINE=' eval "$termic_prompt"'
    else
      READLINE_LINE=${text[0]-}
    fi
    READLINE_POINT=${#READLINE_LINE}
    __termic_then accept-line
  fi
  builtin printf '\e]633;T;%s;%s;%s\a' "$answer" "$id" "$__termic_nonce" >/dev/tty
  return 0
} 2>/dev/null

__termic_begin() {
  local keymap
  builtin set +H
  local -
  builtin set +aeux
  for keymap in emacs vi-insert vi-command; do
    # One word: at a continuation prompt it is read in the parser's state there, where `{` and `;` mean something else.
    builtin bind -m "$keymap" -x '"\e[9137~": __termic_deliver'
  done
  __termic_then redraw-current-line
  __termic_install
} 2>/dev/null

if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
if [[ -n $__termic_nonce ]]; then __termic_begin; fi
