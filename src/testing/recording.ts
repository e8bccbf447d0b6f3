/**
 * Defines the file format of recordings: versioned JSON that users can read and compare. The file
 * contains each model call and each exchange with an MCP server in order of their start. Headers,
 * keys, and secrets are never included.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Outcome } from '../lib/outcome.ts'
import type { Delta, ModelAnswer, ModelFailure } from '../ports/world.ts'
import type { ModelShape, ServerShape } from './normalize.ts'

/** Version of the recording format, increased by each change that older readers would misread. */
const VERSION = 1

export interface ModelCall {
  readonly kind: 'model'
  /** SHA-256 digest of the normalized request, used to look up the recorded call. */
  readonly key: string
  readonly request: ModelShape
  /** Duration of the call, in milliseconds. */
  readonly ms: number
  /** Stream deltas as received: milliseconds from the call's start, type, and text. */
  readonly stream: readonly (readonly [number, Delta['type'], string])[]
  /** Answer of the model; IDs from the request are replaced by their numbers: `run_<1>`. */
  readonly answer: Outcome<ModelAnswer, ModelFailure>
}
export interface ServerCall {
  readonly kind: 'mcp'
  readonly key: string
  readonly request: ServerShape
  readonly ms: number
  readonly answer: Outcome<unknown, unknown>
}
export type RecordedCall = ModelCall | ServerCall

export interface Recording {
  readonly strata_recording: number
  /** Properties of the recorded deployment that are visible to layers. */
  readonly deployment: {
    readonly allow_stdio_mcp: boolean
    readonly allow_loopback: boolean
    /** Names of secrets, each with the hosts that may receive it; null allows any host. */
    readonly secrets: Readonly<Record<string, readonly string[] | null>>
  }
  /** Resolved model for each model reference, with its support for the requested schema. */
  readonly models: readonly {
    readonly reference: string | null
    readonly schema: string | null
    readonly found: Outcome<unknown, unknown>
  }[]
  readonly calls: readonly RecordedCall[]
  /** System prompts and notes by digest, each stored once. */
  readonly texts: Readonly<Record<string, string>>
}

export class RecordingError extends Error {}

const outcome = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.unknown() }),
])
const call = { key: z.string(), ms: z.number().min(0) }
const digests = z.record(z.string(), z.string())
const modelRequest = z.object({
  model: z.string(),
  system: z.string(),
  notes: z.string().optional(),
  tools: digests,
  messages: z.array(z.object({ role: z.string(), digest: z.string(), text: z.string() })),
  output_schema: z.string().optional(),
  settings: z.string().optional(),
})
const serverRequest = z.looseObject({ server: z.string(), method: z.string() })
const delta = z.tuple([z.number().min(0), z.enum(['text', 'reasoning']), z.string()])
const SCHEMA = z.object({
  strata_recording: z.literal(VERSION),
  deployment: z.object({
    allow_stdio_mcp: z.boolean(),
    allow_loopback: z.boolean(),
    secrets: z.record(z.string(), z.array(z.string()).nullable()),
  }),
  models: z.array(
    z.object({ reference: z.string().nullable(), schema: z.string().nullable(), found: outcome }),
  ),
  calls: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        ...{ kind: z.literal('model'), ...call, request: modelRequest },
        ...{ stream: z.array(delta), answer: outcome },
      }),
      z.object({ kind: z.literal('mcp'), ...call, request: serverRequest, answer: outcome }),
    ]),
  ),
  texts: digests,
})

/**
 * Reads a recording file; throws `RecordingError` if the file is missing or has another format
 * version.
 */
export function readRecording(file: string): Recording {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const problem =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is not a file'
    throw new RecordingError(`The recording ${file} ${problem}. ${RECORD_AGAIN}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text, (_, member: unknown) => bytesOf(member))
  } catch {
    throw new RecordingError(`The recording ${file} is not JSON. ${RECORD_AGAIN}`)
  }
  const version = (value as { strata_recording?: unknown } | null)?.strata_recording
  if (version !== VERSION) {
    const problem = version === undefined ? 'is not a recording' : `has version ${String(version)}`
    throw new RecordingError(
      `The recording ${file} ${problem}; this version of Strata reads version ${VERSION}. ` +
        `${RECORD_AGAIN}`,
    )
  }
  const parsed = SCHEMA.safeParse(value)
  if (parsed.success) return parsed.data as unknown as Recording
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  throw new RecordingError(`The recording ${file} is invalid at ${at}. ${RECORD_AGAIN}`)
}

/** Instructions for creating a new recording, appended to error messages. */
export const RECORD_AGAIN =
  'Record it again with real models and servers: runAgent(…, { record: file }), or ' +
  'strata test --record.'

/** Writes a recording file atomically and creates missing folders. */
export function writeRecording(file: string, content: Omit<Recording, 'strata_recording'>): void {
  const recording: Recording = { strata_recording: VERSION, ...content }
  mkdirSync(dirname(file), { recursive: true })
  const tempFile = `${file}.${process.pid}.tmp`
  writeFileSync(tempFile, `${JSON.stringify(withBytes(recording), null, 2)}\n`)
  renameSync(tempFile, file)
}

/** Encodes bytes in a value as `{"$base64": …}`. */
function withBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(withBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withBytes(member)]))
}

function bytesOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$base64' in value)) return value
  return new Uint8Array(Buffer.from(String(value.$base64), 'base64'))
}
