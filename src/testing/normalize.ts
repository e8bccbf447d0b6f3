/**
 * Normalizes requests for comparison with recordings. Strata IDs (`run_` and 26 characters) are
 * numbered in order of appearance. Clock times, subagent durations, and boundaries of data blocks
 * (digests of such texts) become placeholders, because they differ between equivalent runs. An ID
 * in an answer is also replaced by its number, so that a replay inserts the current ID.
 */

import { digest, sha256 } from '../lib/digest.ts'
import type { ModelRequest } from '../ports/world.ts'

const ID = /\b([a-z]{2,8})_[0-9a-z]{26}\b/g
const NUMBERED = /\b[a-z]{2,8}_<\d+>/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g
/** Matches the `duration_ms` member in JSON, including JSON nested in a string. */
const DURATION = /(\\*"duration_ms\\*": ?)\d+/g
const BOUNDARY = /(\bboundary=\\*")[0-9a-f]{24}(?=\\*")/g

/** Numbers the IDs of one request in order of appearance. */
export class Ids {
  readonly #numbers = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  /** Replaces every ID in the request with its number. */
  ofRequest<T>(value: T): T {
    return eachText(value, (text) =>
      text
        .replace(ID, (id, kind: string) => this.#number(id, kind))
        .replace(TIME, '<time>')
        .replace(DURATION, '$1<ms>')
        .replace(BOUNDARY, '$1<digest>'),
    )
  }

  /**
   * Replaces IDs in an answer with their numbers if the request contains them; other IDs stay
   * unchanged.
   */
  ofAnswer<T>(value: T): T {
    return eachText(value, (text) => text.replace(ID, (id) => this.#numbers.get(id) ?? id))
  }

  /** Returns a recorded answer in which the numbers are replaced with the current request's IDs. */
  restored<T>(answer: T): T {
    return eachText(answer, (text) =>
      text.replace(NUMBERED, (number) => this.#ids.get(number) ?? number),
    )
  }

  #number(id: string, kind: string): string {
    const existing = this.#numbers.get(id)
    if (existing !== undefined) return existing
    const number = `${kind}_<${this.#numbers.size + 1}>`
    this.#numbers.set(id, number)
    this.#ids.set(number, id)
    return number
  }
}

/** Applies a change to every string in a JSON value; bytes and member names stay unchanged. */
function eachText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => eachText(item, change)) as T
  const entries = Object.entries(value).map(([key, member]) => [key, eachText(member, change)])
  return Object.fromEntries(entries) as T
}

/** Model request as stored in a recording: digests, and enough text to describe differences. */
export interface ModelShape {
  readonly model: string
  /** Digest of the system prompt, whose text the recording contains once. */
  readonly system: string
  readonly notes?: string | undefined
  /** Digests of the tools' descriptions and schemas, by tool name. */
  readonly tools: Readonly<Record<string, string>>
  readonly messages: readonly MessageShape[]
  /** Digest of `output_schema`; the model settings also have a digest. */
  readonly output_schema?: string | undefined
  readonly settings?: string | undefined
}
interface MessageShape {
  readonly role: string
  readonly digest: string
  /** Start of the message's text. */
  readonly text: string
}

/** Request to an MCP server, as compared with recordings. */
export interface ServerShape {
  readonly server: string
  readonly method: 'tools/list' | 'tools/call' | 'initialize'
  /**
   * Members of a tool call request: the tool, its arguments, and a person's replies to the server's
   * questions.
   */
  readonly tool?: string | undefined
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  readonly answers?: unknown
  /** Tool filters of the server entry, for a list request. */
  readonly enabled_tools?: readonly string[] | undefined
  readonly disabled_tools?: readonly string[] | undefined
}

const SHORT = 16
const BEGINNING = 160

const short = (value: unknown): string => digest(withoutBytes(value)).slice(0, SHORT)
const optional = (name: string, value: unknown): Record<string, string> =>
  value === undefined ? {} : { [name]: short(value) }

/**
 * Returns the stored form of a normalized model request, and the texts that it references by
 * digest.
 */
export function modelShape(request: ModelRequest): {
  readonly shape: ModelShape
  readonly texts: Readonly<Record<string, string>>
} {
  const { model, system, notes, messages, tools, output_schema, settings } = request
  const texts = Object.fromEntries(
    [system, notes].flatMap((text) => (text === undefined ? [] : [[short(text), text]])),
  )
  const shape = {
    model,
    system: short(system),
    ...optional('notes', notes),
    tools: Object.fromEntries(tools.map(({ name, ...definition }) => [name, short(definition)])),
    messages: messages.map((message) => {
      return { role: message.role, digest: short(message), text: beginning(message) }
    }),
    ...optional('output_schema', output_schema),
    ...optional('settings', settings),
  }
  return { shape, texts }
}

/** Replaces images and files in a value with their digests. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { sha256: sha256(value) }
  if (Array.isArray(value)) return value.map(withoutBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutBytes(member)]),
  )
}

function beginning(message: ModelRequest['messages'][number]): string {
  const texts =
    message.role === 'user'
      ? [message.text]
      : message.role === 'tool'
        ? message.results.map(({ tool, text }) => `${tool}: ${text}`)
        : message.parts.map((part) =>
            part.type === 'call' ? `calls ${part.tool} ${part.arguments}` : part.text,
          )
  const joined = texts.join(' | ')
  return joined.length <= BEGINNING ? joined : `${joined.slice(0, BEGINNING)}…`
}
