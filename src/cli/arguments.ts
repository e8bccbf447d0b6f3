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
