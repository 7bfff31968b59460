# The .zshrc beside zshenv.zsh. zsh finds a .zshrc here, so it never offers its dialog for new users (zsh-newuser-install).
# Some systems' /etc/zshrc derives this from ZDOTDIR.
if [[ ${HISTFILE-} == $_termic_dir/* ]]; then HISTFILE=${_termic_zdotdir:-$HOME}/${HISTFILE:t}; fi
unset ZDOTDIR
if (( ${+_termic_zdotdir} )); then
  typeset -g ZDOTDIR=$_termic_zdotdir
  if [[ $_termic_zdotdir_type == *export* ]]; then export ZDOTDIR; fi
  unset _termic_zdotdir _termic_zdotdir_type
fi

if [[ -r ${ZDOTDIR:-$HOME}/.zshrc ]]; then source ${ZDOTDIR:-$HOME}/.zshrc; fi

if [[ -n $_termic_nonce ]]; then
  setopt no_bang_hist
  _termic_options
  _termic_install
fi
