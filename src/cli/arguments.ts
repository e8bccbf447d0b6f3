/** Command-line arguments and options shared by several commands. */

import { type Command, InvalidArgumentError, Option } from 'commander'

/** Callback that receives the exit code of a command. */
export type Done = (code: number) => void

/** Function that registers a command by its name and description. */
export type Add = (name: string, about: string) => Command

/**
 * Rejects an argument that starts like an option, because the expected value was probably
 * forgotten.
 */
export function word(value: string): string {
  if (/^--?[a-z]/i.test(value)) throw new InvalidArgumentError('The value looks like an option.')
  return value
}
export const some = (value: string, previous: readonly string[]): readonly string[] => [
  ...previous,
  word(value),
]

export const json = (): Option => new Option('--json', 'print JSON, one object per line')

const RUN_FILTERS: Readonly<Record<string, string>> = {
  '--status <list>': 'one or more statuses, separated by commas',
  '--agent <agent>': 'only runs of this agent',
  '--session <id>': 'only runs of this session',
  '--label <label>': 'only runs with this label',
  '--model <model>': 'only runs of this model (provider/model)',
  '--waiting-on <list>': 'only runs that wait for one of these, separated by commas',
  '--search <words>': 'only runs whose ID, texts, or metadata contain all of these words',
  '--from <time>': 'only runs created at this time or later',
  '--to <time>': 'only runs created before this time',
}

/** Creates the options of `strata runs` whose values are sent unchanged. */
export const runFilters = (): Option[] =>
  Object.entries(RUN_FILTERS).map(([flags, about]) => new Option(flags, about).argParser(word))
