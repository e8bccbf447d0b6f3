/**
 * Preserves a run's shell state between commands: the working folder and the environment variables.
 */

import type { ShellRequest } from '../../ports/shell.ts'

/** Path of the working folder inside the sandbox. */
export const ROOT = '/work'

/** Environment variable with the folder of the last opened skill, as in Claude Code. */
const SKILL_FOLDER = 'CLAUDE_SKILL_DIR'

/**
 * Returns the environment variables of a command: the preserved variables and the folder of a
 * skill.
 */
export const variablesOf = ({ env, skills }: Pick<ShellRequest, 'env' | 'skills'>) =>
  skills?.opened === undefined ? env : { ...env, [SKILL_FOLDER]: `${ROOT}/${skills.opened}` }

/** Matches environment variables that the shell or this module sets. */
const ITS_OWN =
  /^(?:CLAUDE_SKILL_DIR|PWD|OLDPWD|SHLVL|_|HOME|PATH|IFS|OPTIND|(?:OS|MACH|HOST)TYPE|HOSTNAME|(?:SHELL|BASH)OPTS)$/

export const isExported = ([name]: readonly [string, string]): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !ITS_OWN.test(name)

/**
 * Returns a path relative to the working folder; '' for the working folder itself and for paths
 * outside it.
 */
export const belowRoot = (path: string): string =>
  path === ROOT || !path.startsWith(`${ROOT}/`) ? '' : path.slice(ROOT.length + 1)
