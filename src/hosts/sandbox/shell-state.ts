/** A run's shell from one command to the next: the folder it stood in, its variables. */

/** The working folder, as commands see it. */
export const ROOT = '/work'

/** Variables that a shell sets by itself. */
const ITS_OWN =
  /^(?:PWD|OLDPWD|SHLVL|_|HOME|PATH|IFS|OPTIND|(?:OS|MACH|HOST)TYPE|HOSTNAME|(?:SHELL|BASH)OPTS)$/

export const isExported = ([name]: readonly [string, string]): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !ITS_OWN.test(name)

/** '' for the working folder itself, and for what lies elsewhere. */
export const belowRoot = (path: string): string =>
  path === ROOT || !path.startsWith(`${ROOT}/`) ? '' : path.slice(ROOT.length + 1)
