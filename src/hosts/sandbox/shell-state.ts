/** A run's shell from one command to the next: the folder it stood in, its variables. */

import type { ShellRequest } from '../../ports/shell.ts'

/** The working folder, as commands see it. */
export const ROOT = '/work'

/** The folder of the skill that was opened last, as in Claude Code. */
const SKILL_FOLDER = 'CLAUDE_SKILL_DIR'

/** The variables of commands: those that live on, and the folder of a skill. */
export const variablesOf = ({ env, skills }: Pick<ShellRequest, 'env' | 'skills'>) =>
  skills?.opened === undefined ? env : { ...env, [SKILL_FOLDER]: `${ROOT}/${skills.opened}` }

/** Variables that a shell sets by itself, or we for it. */
const ITS_OWN =
  /^(?:CLAUDE_SKILL_DIR|PWD|OLDPWD|SHLVL|_|HOME|PATH|IFS|OPTIND|(?:OS|MACH|HOST)TYPE|HOSTNAME|(?:SHELL|BASH)OPTS)$/

export const isExported = ([name]: readonly [string, string]): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !ITS_OWN.test(name)

/** '' for the working folder itself, and for what lies elsewhere. */
export const belowRoot = (path: string): string =>
  path === ROOT || !path.startsWith(`${ROOT}/`) ? '' : path.slice(ROOT.length + 1)
