# The .zshenv of the directory that termic gives to zsh as ZDOTDIR: the user's own comes first, then back for .zshrc.
typeset -g _termic_dir=$ZDOTDIR
typeset -g +x _termic_dir
if (( ${+TERMIC_USER_ZDOTDIR} )); then
  export ZDOTDIR=$TERMIC_USER_ZDOTDIR
  unset TERMIC_USER_ZDOTDIR
else
  unset ZDOTDIR
fi
# Read here, so that no alias of the user gets into its functions and the nonce is gone before anything else runs.
source $_termic_dir/integration.zsh

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then source ${ZDOTDIR:-$HOME}/.zshenv; fi

# Their .zshenv may have set it, with export or without.
if (( ${+ZDOTDIR} )); then
  typeset -g _termic_zdotdir=$ZDOTDIR _termic_zdotdir_type=${(t)ZDOTDIR}
fi
ZDOTDIR=$_termic_dir
