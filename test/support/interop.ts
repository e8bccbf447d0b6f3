/**
 * What providers really send: `test/fixtures/interop` holds the bytes of answers, where each was read,
 * and the reading that is expected of them.
 */

import { readdirSync, readFileSync } from 'node:fs'
import type { Outcome } from '../../src/lib/outcome.ts'
import type { ModelAnswer, ModelFailure } from '../../src/ports/world.ts'

export type Dialect = 'chat' | 'responses' | 'messages'

/** The expected reading; members that are absent may be anything. */
export interface Expected {
  /** `["call", tool, arguments]` with the arguments parsed where they are JSON. */
  readonly parts?: readonly (readonly unknown[])[]
  readonly finish?: ModelAnswer['finish']
  /** Tokens of input and output. */
  readonly usage?: readonly [number, number]
  readonly cached?: number
  readonly estimated?: true
  /** Whether something had to be mended. Absent: nothing was. */
  readonly mended?: true
  readonly error?: ModelFailure['code']
  /** A part of the failure's message, and what must not be in it. */
  readonly says?: string
  readonly hides?: string
  readonly retry_after_ms?: number
}
export interface InteropCase {
  readonly name: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** How the connection ends after the body; absent: it closes. */
  readonly end?: 'open' | 'reset'
  readonly expect: Expected
}
export interface InteropFile {
  readonly file: string
  readonly dialect: Dialect
  readonly kind: string
  /** Where it was read, and the day. */
  readonly source: string
  readonly read: string
  readonly cases: readonly InteropCase[]
}

const FOLDER = new URL('../fixtures/interop/', import.meta.url)

export const interopFiles = (): readonly InteropFile[] =>
  readdirSync(FOLDER).map((file) => ({
    file,
    ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
  }))

/** What was read, in the words of `Expected`, as far as they are expected. */
export function readingOf(
  answer: Outcome<ModelAnswer, ModelFailure>,
  expected: Expected,
): Partial<Expected> {
  if (!answer.ok) {
    const { code, message, retryAfterMs } = answer.error
    const { says, hides } = expected
    return {
      error: code,
      ...(says === undefined ? {} : { says: message.includes(says) ? says : message }),
      ...(hides === undefined ? {} : { hides: message.includes(hides) ? message : hides }),
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    }
  }
  const { parts, finish, usage, mended } = answer.value
  const all = {
    parts: parts.map((part) =>
      part.type === 'call'
        ? ['call', part.tool, parsed(part.arguments as string)]
        : [part.type, part.text],
    ),
    finish,
    usage: [usage.input_tokens, usage.output_tokens] as const,
    cached: usage.cache_read_tokens ?? 0,
    estimated: usage.estimated,
  }
  const told = Object.entries(all).filter(([name]) => name in expected)
  return { ...Object.fromEntries(told), ...(mended ? { mended: true } : {}) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
