/** Differences between a recorded request and one that was made, in sentences. */

import { canonical } from '../lib/digest.ts'
import type { ModelShape, ServerShape } from './normal.ts'

type Texts = Readonly<Record<string, string>>

/** Differences of two model calls; empty: none. `texts` has the texts of both. */
export function modelDifferences(recorded: ModelShape, made: ModelShape, texts: Texts): string[] {
  return [
    ...(recorded.model === made.model
      ? []
      : [`the model: recorded ${recorded.model}, now ${made.model}`]),
    ...textDiffers('the system prompt', recorded.system, made.system, texts),
    ...textDiffers('the notes', recorded.notes, made.notes, texts),
    ...toolDifferences(recorded.tools, made.tools),
    ...messageDifferences(recorded.messages, made.messages),
    ...(recorded.output_schema === made.output_schema ? [] : ['the output schema']),
    ...(recorded.settings === made.settings ? [] : ['the settings of the model']),
  ]
}

/** Differences of two requests to servers. */
export function serverDifferences(recorded: ServerShape, made: ServerShape): string[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(made)]) as Set<keyof ServerShape>
  return [...keys].flatMap((key) => {
    const [then, now] = [recorded[key], made[key]]
    if (canonical(then) === canonical(now)) return []
    return [`${key}: recorded ${shown(then)}, now ${shown(now)}`]
  })
}

const SHOWN = 200
function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const text = canonical(value)
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}

function textDiffers(
  name: string,
  recorded: string | undefined,
  made: string | undefined,
  texts: Texts,
): string[] {
  if (recorded === made) return []
  const then = (texts[recorded ?? ''] ?? '').split('\n')
  const now = (texts[made ?? ''] ?? '').split('\n')
  const at = then.findIndex((line, index) => line !== now[index])
  const line = at < 0 ? then.length : at
  return [`${name}, line ${line + 1}: recorded ${shown(then[line])}, now ${shown(now[line])}`]
}

function toolDifferences(recorded: ModelShape['tools'], made: ModelShape['tools']): string[] {
  const gone = Object.keys(recorded).filter((name) => !Object.hasOwn(made, name))
  const added = Object.keys(made).filter((name) => !Object.hasOwn(recorded, name))
  const other = Object.keys(made).filter(
    (name) => Object.hasOwn(recorded, name) && recorded[name] !== made[name],
  )
  const said = [
    ['removed tools', gone],
    ['added tools', added],
    ['tools whose description or schema differs', other],
  ] as const
  return said.flatMap(([what, names]) =>
    names.length === 0 ? [] : [`${what}: ${names.join(', ')}`],
  )
}

/** The first that differs: all that follow do as well. */
function messageDifferences(
  recorded: ModelShape['messages'],
  made: ModelShape['messages'],
): string[] {
  const length = Math.max(recorded.length, made.length)
  for (let at = 0; at < length; at += 1) {
    const [then, now] = [recorded[at], made[at]]
    if (then?.digest === now?.digest) continue
    const role = now?.role ?? then?.role
    return [`message ${at + 1} (${role}): recorded ${shown(then?.text)}, now ${shown(now?.text)}`]
  }
  return []
}
