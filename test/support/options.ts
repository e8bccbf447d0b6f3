/**
 * The words after a command, taken at their word: what cannot be meant is refused in one sentence
 * and never guessed at, because a simulator that ran nothing must not look green.
 */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Whoever asked is told in one sentence what is wrong. */
export class WrongUse extends Error {}

/** A number as words have it, from `low` to `high`; seeds are numbers that JavaScript has exactly. */
export function whole(name: string, text: string, low: number, high: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw new WrongUse(`${name} is a whole number from ${low} to ${high}, not ${quoted(text)}`)
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60))

/** The options that were given, by their names; each has a value or is there. */
export type Given = Readonly<Record<string, string | boolean | undefined>>

/** Reads the words; only options that exist, and so many others as are asked for. */
export function given(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  most = 0,
): { readonly values: Given; readonly rest: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    const [extra] = positionals.slice(most)
    if (extra !== undefined) throw new WrongUse(`there is no place for ${quoted(extra)}`)
    return { values: values as Given, rest: positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new WrongUse(error.message.split(/[.\n]/)[0]!)
  }
}

/** Each way to call a command has options of its own; the first that is given says which it is. */
export function wayOf<W extends string>(
  values: Given,
  ways: Readonly<Record<W, readonly string[]>>,
  usual: NoInfer<W>,
): W {
  const named = (Object.keys(ways) as W[]).filter((way) => way !== usual && isGiven(values[way]))
  if (named.length > 1) throw new WrongUse(`--${named[0]} and --${named[1]} do not go together`)
  const [way = usual] = named
  const foreign = Object.keys(values).find(
    (name) => isGiven(values[name]) && name !== way && !ways[way].includes(name),
  )
  if (foreign !== undefined) throw new WrongUse(`--${foreign} does not go with --${way}`)
  return way
}

const isGiven = (value: string | boolean | undefined): boolean =>
  value !== undefined && value !== false

/** Exits with 0 when it went well, with 1 when not, and with 2 when it was asked for wrongly. */
export async function command(usage: string, act: () => Promise<boolean>): Promise<void> {
  try {
    const { values } = parseArgs({ strict: false, options: { help: HELP } })
    if (values.help === true) return void process.stdout.write(`${usage.trim()}\n`)
    process.exitCode = (await act()) ? 0 : 1
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error
    process.stderr.write(`${error.message}; --help says what there is\n`)
    process.exitCode = 2
  }
}

const HELP = { type: 'boolean', short: 'h' } as const
