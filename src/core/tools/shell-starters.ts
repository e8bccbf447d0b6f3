/**
 * Commands that execute their arguments, input, or environment. Interpreters (`python -c`) may be
 * allowed by name. If a restriction exists as well, they might bypass it.
 */

/**
 * Commands that execute other commands regardless of their arguments, including shell reserved
 * words.
 */
const STARTERS: ReadonlySet<string> = new Set([
  ...['.', 'alias', 'bind', 'builtin', 'command', 'compgen', 'complete', 'coproc', 'enable'],
  ...['eval', 'exec', 'export', 'fc', 'getopts', 'hash', 'jobs', 'let', 'mapfile', 'readarray'],
  ...['declare', 'local', 'readonly', 'set', 'shopt', 'source', 'trap', 'typeset', 'unalias'],
  ...['ash', 'bash', 'busybox', 'chroot', 'csh', 'dash', 'env', 'fish', 'ionice', 'ksh', 'mksh'],
  ...['nice', 'pwsh', 'rbash', 'tcsh', 'toybox', 'zsh', 'nu', 'elvish', 'sh'],
  ...['nohup', 'parallel', 'setsid', 'script', 'ssh', 'stdbuf', 'strace', 'ltrace', 'su', 'sudo'],
  ...['doas', 'pkexec', 'runuser', 'sg', 'time', 'timeout', 'unshare', 'nsenter', 'watch'],
  ...['xargs', 'flock', 'taskset', 'chrt', 'numactl', 'prlimit', 'setarch', 'setpriv', 'gosu'],
  ...['fakeroot', 'firejail', 'bwrap', 'proot', 'unbuffer', 'expect', 'rlwrap', 'entr'],
  ...['systemd-run', 'at', 'batch', 'crontab', 'xvfb-run', 'dbus-run-session', 'ld.so'],
  ...['!', '[[', 'case', 'do', 'done', 'elif', 'else', 'esac', 'fi', 'for', 'function', 'if'],
  ...['in', 'select', 'then', 'until', 'while', '{', '}'],
])

/**
 * Options and arguments that make a command execute others. For `find`, also options that write
 * files. Long GNU options may be abbreviated.
 */
const EXECUTING: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/,
  git: /^--(?:config-env|exec|ext-diff|extcmd|textconv|upload-p|receive-p|open-files-in-p)/,
  tar: /^(?:-[a-zA-Z]*[IF]|--(?:to-c|checkpoint-a|use|inf|new-|rmt|rsh))/,
  sort: /^--co/,
  split: /^--f/,
  rg: /^--(?:pre|hostname-bin)/,
  man: /^-(?:P|H|-pager|-html)/,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/,
  scp: /^-[a-zA-Z]*[So]/,
  sftp: /^-[a-zA-Z]*[So]/,
  zip: /^-(?:TT|-unzip-command)/,
  less: /^\+/,
  more: /^\+/,
  awk: /system\s*\(|\||getline|@load|^-[lf]|^--(?:load|file|exec)/,
  vi: /^[+]|^-[cS]|^--cmd/,
  ed: /^!/,
  printf: /^-v/,
  read: /\[/,
  unset: /\[/,
  test: /^-[vR]$/,
  wait: /^-[a-z]*p/,
}
const LIKE: Readonly<Record<string, string>> = {
  ...{ 'original-awk': 'awk', gawk: 'awk', mawk: 'awk', nawk: 'awk', gsed: 'sed', gtar: 'tar' },
  ...{ bsdtar: 'tar', fdfind: 'fd', vim: 'vi', view: 'vi', nvim: 'vi', ex: 'vi', gfind: 'find' },
}

/** Whether a command executes its arguments; `name` is the command name without its folder. */
export function executesArguments(name: string, args: readonly string[]): boolean {
  if (STARTERS.has(name) || /^ld-linux/.test(name)) return true
  const kind = Object.hasOwn(LIKE, name) ? LIKE[name]! : name
  const executing = Object.hasOwn(EXECUTING, kind) ? EXECUTING[kind]! : undefined
  if (executing !== undefined && args.some((word) => executing.test(word))) return true
  if (kind === 'git') return gitExecutes(args)
  if (kind === 'sed') return sedExecutes(args)
  // The first argument of `tar` may contain options without a dash.
  return kind === 'tar' && /^[a-zA-Z]*[IF]/.test(args[0] ?? '')
}

function gitExecutes(args: readonly string[]): boolean {
  const has = (...words: readonly string[]) => words.some((word) => args.includes(word))
  // `git -c core.pager=…` executes a command, but `git switch -c name` creates a branch.
  if (args.some((word, at) => word === '-c' && (args[at + 1] ?? '').includes('='))) return true
  if (has('filter-branch', 'foreach') || (has('bisect') && has('run'))) return true
  if (has('grep') && args.some((word) => word.startsWith('-O'))) return true
  return has('rebase', 'difftool') && args.some((word) => word.startsWith('-x'))
}

/** Maximum length of an analyzed `sed` script, in characters. */
const SCRIPT_LENGTH = 500
/** Matches the `e` command of `sed`, and the `e` flag of `s`. */
const SED_EXECUTES =
  /(?:^|[;{}\d$!/\n])[ \t]*e(?:[ \t;\n}]|$)|s([^\w\s])(?:(?!\1).)*\1(?:(?!\1).)*\1[a-zA-Z0-9]*e/s

function sedExecutes(args: readonly string[]): boolean {
  const isFile = (word: string) => /^(?:-[a-zA-Z]*f|--fi)/.test(word)
  const isScript = (word: string, at: number) =>
    /^(?:-[a-zA-Z]*e|--e)/.test(word) ||
    /^(?:-[a-zA-Z]*e|--e[a-z]*)$/.test(args[at - 1] ?? '') ||
    at === args.findIndex((arg) => !arg.startsWith('-'))
  const script = args.filter(isScript).map((word) => word.replace(/^-[a-zA-Z]*e|^--\w+=?/, ''))
  return (
    args.some(isFile) ||
    script.some((text) => text.length > SCRIPT_LENGTH || SED_EXECUTES.test(text))
  )
}

const INTERPRETERS = /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|tclsh)[\d.]*$/
const CODE = /^(?:-[a-zA-Z]*[cerEpP]\b.*|--(?:eval|print|run)(?:=.*)?|eval|-|)$/

/** Whether a command runs a program passed in its arguments or through its input. */
export const runsCode = (name: string, args: readonly string[]): boolean =>
  INTERPRETERS.test(name) && (args.length === 0 || args.some((word) => CODE.test(word)))
