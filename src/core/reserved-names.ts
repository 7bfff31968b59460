/**
 * The one list of variables that are termic's own or that decide how programs find, load and trust things. A repository
 * may not set them through a named port or its `env`.
 */
export const reservedNames: readonly string[] = words(`
  CONDUCTOR_PORT CONDUCTOR_WORKSPACE_NAME PORT
  PATH HOME SHELL USER LOGNAME TMPDIR TMP TEMP PWD OLDPWD SHLVL _ HOSTNAME MAIL TZ
  TERM TERMINFO TERMINFO_DIRS TERMCAP COLORTERM COLORFGBG TERM_PROGRAM TERM_PROGRAM_VERSION COLUMNS LINES
  LANG LANGUAGE LOCPATH NLSPATH
  ENV BASH_ENV SHELLOPTS BASHOPTS IFS CDPATH FPATH GLOBIGNORE PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 ZDOTDIR HISTFILE
  EDITOR VISUAL PAGER BROWSER MANPAGER LESSOPEN LESSCLOSE SUDO_ASKPASS SSH_ASKPASS SSH_AUTH_SOCK
  GLIBC_TUNABLES GCONV_PATH HOSTALIASES RES_OPTIONS LOCALDOMAIN MALLOC_CONF
  INIT_CWD CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS RUBYOPT RUBYLIB GEM_HOME GEM_PATH
  LUA_PATH LUA_CPATH LUA_INIT TCLLIBPATH VIRTUAL_ENV CONDA_PREFIX RUSTC_WRAPPER CARGO_HOME GOFLAGS GOPATH GOROOT
  HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
  DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY DOCKER_HOST
  CLAUDECODE
`)

/** Every name that begins so is reserved too. */
export const reservedPrefixes: readonly string[] = words(`
  TERMIC_ LC_ LD_ DYLD_ NODE_ NPM_ GIT_ XDG_ PYTHON PERL BUN_ DENO_ BASH_FUNC_
  CLAUDE_ ANTHROPIC_ CODEX_ OPENAI_ GEMINI_ GOOGLE_ OPENCODE_ COPILOT_ CURSOR_
`)

const reserved = new Set(reservedNames)

/** Compared without case, since proxies and npm's variables are obeyed in either. */
export function isReserved(name: string): boolean {
  const upper = name.toUpperCase()
  return reserved.has(upper) || reservedPrefixes.some(prefix => upper.startsWith(prefix))
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
