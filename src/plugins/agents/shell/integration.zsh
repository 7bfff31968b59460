# termic's part of an interactive zsh, read by zshenv.zsh. It adds:
#   marks   OSC 133 and 633 around prompts and commands, each with this pane's nonce
#   inbox   private keys: ESC [ 9137 ~ puts the prompt of <pane>/inbox into the line editor, ESC [ 9138 ~ enters it
#
# Marks go to /dev/tty, since the user may `exec >file`. The user's prompts are left as they are: zle says itself when
# one is displayed. `emulate` shields the functions from the user's options.

typeset -g _termic_nonce= _termic_inbox=${_termic_dir:h}/inbox
typeset -g +x _termic_nonce _termic_inbox
IFS= builtin read -r _termic_nonce 2>/dev/null <$_termic_dir/nonce
: >|$_termic_dir/nonce
typeset -g _termic_status=0 _termic_ran=0 _termic_prompted=0 _termic_inside=0 _termic_filler=0 _termic_comments=0
typeset -g _termic_armed=0 _termic_pending= _termic_loaded=: _termic_their_line_init= termic_prompt=

# Above this a short line that evaluates the text is entered: zle takes 0.2 s for 1 MB, but what plugins hook into it
# (highlighting, suggestions) and the history file are not made for it.
typeset -g _termic_direct_limit=65536

zmodload zsh/mapfile zsh/zleparameter zsh/terminfo

# First of precmd_functions, so that nothing is printed between a command and its end.
_termic_precmd() {
  local code=${1:-$?}
  _termic_options
  emulate -L zsh
  setopt no_err_exit no_xtrace
  local REPLY marks=
  if [[ $_termic_ran == 1 || $code != $_termic_status ]]; then
    marks=$'\e]133;D;'$code';n='$_termic_nonce$'\a'
  elif [[ -n $_termic_pending ]]; then
    # A line that does not parse sets 1, a comment leaves the status alone.
    if _termic_is_comment; then marks=$'\e]133;D;0;n='; else marks=$'\e]133;D;'$code';n='; fi
    marks+=$_termic_nonce$'\a'
  fi
  _termic_status=$code _termic_ran=0 _termic_prompted=1 _termic_armed=0 _termic_pending= termic_prompt=
  _termic_path
  marks+=$'\e]7;file://'$HOST$REPLY$'\a'
  _termic_fill
  builtin print -rn -- $marks$REPLY$'\e]133;A;n='$_termic_nonce$'\a' >/dev/tty
  _termic_install
}

# The user's options that count, looked at before `emulate` hides them. zsh itself prints the filler for an unfinished
# line before precmd, into the command's output, so it is done here, after the command's end.
_termic_options() {
  if [[ -o interactive_comments ]]; then _termic_comments=1; else _termic_comments=0; fi
  if [[ -o prompt_sp ]]; then
    unsetopt prompt_sp
    _termic_filler=1
  fi
}

# First of preexec_functions: $1 is the line as typed, $3 what is run where there is no history.
_termic_preexec() {
  emulate -L zsh
  setopt no_err_exit no_xtrace
  local REPLY
  _termic_ran=1
  _termic_escape ${termic_prompt:-${1:-$3}}
  builtin print -rn -- $'\e]633;E;'$REPLY';'$_termic_nonce$'\a\e]133;C;n='$_termic_nonce$'\a' >/dev/tty
}

# zle-line-init: a prompt (or, in the middle of a command, its continuation) is displayed.
_termic_line_init() {
  local code=$?
  # Other hooks may hold and call this one as it holds and calls them.
  if [[ $_termic_inside == 1 ]]; then return 0; fi
  _termic_inside=1
  {
    if [[ -n $_termic_their_line_init ]]; then "$_termic_their_line_init" "$@"; fi
  } always {
    _termic_inside=0
  }
  emulate -L zsh
  setopt no_err_exit no_xtrace
  case $CONTEXT in
    start)
      # Their rc file may have dropped our precmd.
      if [[ $_termic_prompted == 0 ]]; then _termic_precmd $code; fi
      _termic_prompted=0
      builtin print -rn -- $'\e]133;B;n='$_termic_nonce$'\a' >/dev/tty
      ;;
    cont) builtin print -rn -- $'\e]133;A;k=s;n='$_termic_nonce$'\a' >/dev/tty ;;
  esac
}

# The first key. A person's draft is left alone, and an id is taken once in the life of this shell.
_termic_deliver() {
  # Before `emulate -L`, which would put it back: what is delivered must not be expanded as history.
  setopt no_bang_hist
  emulate -L zsh
  setopt no_err_exit no_xtrace
  _termic_armed=0
  local inbox=$mapfile[$_termic_inbox]
  local id=${inbox%%$'\n'*} text=${inbox#*$'\n'} answer
  if [[ -z $id ]]; then return 0; fi
  if [[ -n $PREBUFFER$BUFFER ]]; then
    answer=draft
  elif [[ $_termic_loaded == *:$id:* ]]; then
    answer=duplicate
  else
    answer=loaded
    _termic_loaded+=$id:
    _termic_pending=${text:- }
    if (( $#text > _termic_direct_limit )); then
      termic_prompt=$text
      typeset -g +x termic_prompt
      BUFFER=' eval "$termic_prompt"'
    else
      BUFFER=$text
    fi
    CURSOR=$#BUFFER
    _termic_armed=1
  fi
  builtin print -rn -- $'\e]633;T;'$answer';'$id';'$_termic_nonce$'\a' >/dev/tty
  return 0
}

# The second key, in the same write: without the first one's word it does nothing.
_termic_enter() {
  # The one of zle itself: plugins wrap it to change what was typed.
  if [[ $_termic_armed == 1 ]]; then zle .accept-line; fi
  _termic_armed=0
}

# Sets REPLY to $1 as a field of a mark: the first 800 characters, without `;`, `\` and control characters.
_termic_escape() {
  setopt local_options extended_glob
  local MATCH MBEGIN MEND
  REPLY=${1[1,800]}
  REPLY=${REPLY//(#m)[;\\[:cntrl:]]/\\x${(l:2::0:)$(([##16]#MATCH))}}
}

# Sets REPLY to $PWD as the path of a file URL, byte by byte.
_termic_path() {
  setopt local_options extended_glob no_multibyte
  local MATCH MBEGIN MEND
  REPLY=${PWD//(#m)[^a-zA-Z0-9\/._~-]/%${(l:2::0:)$(([##16]#MATCH))}}
}

# Sets REPLY to what moves an unfinished line out of the prompt's way, as zsh's own PROMPT_SP does.
_termic_fill() {
  setopt local_options extended_glob
  REPLY=
  if [[ $_termic_filler == 0 ]]; then return 0; fi
  local mark=${(%%)${PROMPT_EOL_MARK-%B%S%#%s%b}}
  local -i width=${(m)#${mark//$'\e'(\[[0-9;]#m|\([A-Z])/}} room
  room=$(( COLUMNS - width ))
  # Where the cursor does not wait at the right margin, the last column must stay empty.
  if [[ ${terminfo[xenl]-yes} != yes ]]; then room=$(( room - 1 )); fi
  REPLY=$mark${(l:room:: :):-}$'\r'${(l:width:: :):-}$'\r'
}

_termic_is_comment() {
  setopt local_options extended_glob
  local line
  for line in ${(f)_termic_pending}; do
    if [[ $line != [[:space:]]# && ( $_termic_comments == 0 || $line != [[:space:]]#\#* ) ]]; then return 1; fi
  done
  return 0
}

# Puts the hooks where they belong, again before each prompt, since rc files and plugins may replace them.
_termic_install() {
  emulate -L zsh
  local their=${widgets[zle-line-init]-} keymap
  precmd_functions=(_termic_precmd ${precmd_functions:#_termic_precmd})
  preexec_functions=(_termic_preexec ${preexec_functions:#_termic_preexec})
  if [[ $their != user:_termic_line_init ]]; then
    _termic_their_line_init=
    # Called as a function: a widget under another name would change its $WIDGET.
    if [[ $their == user:* ]]; then _termic_their_line_init=${their#user:}; fi
    zle -N zle-line-init _termic_line_init
  fi
  if [[ ${widgets[termic-deliver]-} != user:_termic_deliver ]]; then
    zle -N termic-deliver _termic_deliver
    zle -N termic-enter _termic_enter
    for keymap in emacs viins vicmd; do
      bindkey -M $keymap '^[[9137~' termic-deliver
      bindkey -M $keymap '^[[9138~' termic-enter
    done
  fi
}
