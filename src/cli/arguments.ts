/** Arguments and options that several commands take. */

import { type Command, InvalidArgumentError, Option } from 'commander'

/** The exit code of the command that was called. */
export type Done = (code: number) => void

/** A command of this name, and what it is for. */
export type Add = (name: string, about: string) => Command

/** A value that begins like an option is one whose value was forgotten. */
export function word(value: string): string {
  if (/^--?[a-z]/i.test(value)) throw new InvalidArgumentError('It looks like an option.')
  return value
}
export const some = (value: string, previous: readonly string[]): readonly string[] => [
  ...previous,
  word(value),
]

export const json = (): Option => new Option('--json', 'print JSON, one object per line')
