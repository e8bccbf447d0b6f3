/** Describes in sentences how a current request differs from a recorded request. */

import { canonical } from '../lib/digest.ts'
import type { ModelShape, ServerShape } from './normalize.ts'

type Texts = Readonly<Record<string, string>>

/**
 * Returns the differences between two model requests; empty if they are equal. `texts` contains the
 * texts of both requests.
 */
export function modelDifferences(
  recorded: ModelShape,
  current: ModelShape,
  texts: Texts,
): string[] {
  return [
    ...(recorded.model === current.model
      ? []
      : [`the model: recorded ${recorded.model}, now ${current.model}`]),
    ...textDiffers('the system prompt', recorded.system, current.system, texts),
    ...textDiffers('the notes', recorded.notes, current.notes, texts),
    ...toolDifferences(recorded.tools, current.tools),
    ...messageDifferences(recorded.messages, current.messages),
    ...(recorded.output_schema === current.output_schema ? [] : ['the output schema']),
    ...(recorded.settings === current.settings ? [] : ['the model settings']),
  ]
}

/** Returns the differences between two requests to MCP servers. */
export function serverDifferences(recorded: ServerShape, current: ServerShape): string[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(current)]) as Set<
    keyof ServerShape
  >
  return [...keys].flatMap((key) => {
    const [then, now] = [recorded[key], current[key]]
    if (canonical(then) === canonical(now)) return []
    return [`${key}: recorded ${excerpt(then)}, now ${excerpt(now)}`]
  })
}

const MAX_SHOWN = 200
function excerpt(value: unknown): string {
  if (value === undefined) return 'none'
  const text = canonical(value)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
}

function textDiffers(
  name: string,
  recorded: string | undefined,
  current: string | undefined,
  texts: Texts,
): string[] {
  if (recorded === current) return []
  const then = (texts[recorded ?? ''] ?? '').split('\n')
  const now = (texts[current ?? ''] ?? '').split('\n')
  const at = then.findIndex((line, index) => line !== now[index])
  const line = at < 0 ? then.length : at
  return [`${name}, line ${line + 1}: recorded ${excerpt(then[line])}, now ${excerpt(now[line])}`]
}

function toolDifferences(recorded: ModelShape['tools'], current: ModelShape['tools']): string[] {
  const removed = Object.keys(recorded).filter((name) => !Object.hasOwn(current, name))
  const added = Object.keys(current).filter((name) => !Object.hasOwn(recorded, name))
  const other = Object.keys(current).filter(
    (name) => Object.hasOwn(recorded, name) && recorded[name] !== current[name],
  )
  const groups = [
    ['removed tools', removed],
    ['added tools', added],
    ['tools with a different description or schema', other],
  ] as const
  return groups.flatMap(([label, names]) =>
    names.length === 0 ? [] : [`${label}: ${names.join(', ')}`],
  )
}

/**
 * Returns only the first difference between two message lists, because all later messages also
 * differ.
 */
function messageDifferences(
  recorded: ModelShape['messages'],
  current: ModelShape['messages'],
): string[] {
  const length = Math.max(recorded.length, current.length)
  for (let at = 0; at < length; at += 1) {
    const [then, now] = [recorded[at], current[at]]
    if (then?.digest === now?.digest) continue
    const role = now?.role ?? then?.role
    return [
      `message ${at + 1} (${role}): recorded ${excerpt(then?.text)}, now ${excerpt(now?.text)}`,
    ]
  }
  return []
}
