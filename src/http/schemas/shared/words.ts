/** Words that many schemas share: ids, digests, times, names. Each is described once. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { Metadata } from '../../../core/run/request.ts'
import { GRANTS, LAYER_GRANT } from '../../../core/scopes.ts'
import type { Prefix } from '../../../lib/id.ts'

/** Metadata of a shape that has all members of a base, which has an id: it becomes `allOf`. */
export const extending = (base: z.ZodType) => ({ 'x-extends': z.globalRegistry.get(base)?.id })

/** A text with a description. */
export const text = (words: string) => z.string().describe(words)
export const textOrNull = (words: string) => z.string().nullable().describe(words)
export const count = (words: string) => z.int().describe(words)
export const countOrNull = (words: string) => z.int().nullable().describe(words)

/** Ids as `lib/id.ts` makes them. */
const form = (prefix: Prefix) => `\`${prefix}_\` and 26 characters`
export const idOf = (prefix: Prefix, of: string) => text(`${of} (${form(prefix)})`)
export const idOrNull = (prefix: Prefix, of: string, none: string) =>
  textOrNull(`${of} (${form(prefix)}); \`null\` if ${none}`)
/** An ID member that can be absent. */
export const idAbsent = (prefix: Prefix, of: string, none: string) =>
  text(`${of} (${form(prefix)}); absent if ${none}`).optional()
/** A scope that a key can have. */
export const GrantText = z
  .union([z.enum(GRANTS), z.string().max(300).regex(LAYER_GRANT)], {
    error:
      'Must be one of the scopes, or `layers:write:` followed by a layer prefix, such as ' +
      'roles/support/.',
  })
  .describe(
    'Scope: a single scope, a family (`runs:*`), all scopes (`*`), or ' +
      '`layers:write:roles/support/` for write access to layers below that prefix',
  )

/** The member `object`: the kind of thing. */
export const kindIs = <T extends string>(kind: T) =>
  z.literal(kind).describe(`Type of the object, always \`${kind}\``)

export const time = (subject: string) => text(`${subject} (RFC 3339, UTC)`)
export const timeOrNull = (subject: string, none: string) =>
  textOrNull(`${subject} (RFC 3339, UTC); \`null\` if ${none}`)

export const sha256Of = (of: string) => text(`SHA-256 of ${of} (64 hex digits)`)
export const agentName = (of = 'The agent') => text(`${of}, identified by ID in the layers`)
export const labelOrNull = () => textOrNull('Short human-readable name; `null` if not set')
export const metadata = (of: string) =>
  z
    .record(z.string(), z.string())
    .describe(`Metadata of ${of}, as set by the caller; empty if there is none`)
/** Input of a caller. */
export const metadataGiven = () =>
  Metadata.describe(
    `Key-value pairs, shown in lists and webhooks: at most ${LIMITS.metadata_pairs} ` +
      'pairs, with keys of up to 64 characters and values of up to 512',
  ).optional()

/** The call of a log that something belongs to. */
export const callId = (of = 'ID of the tool call') => idOf('call', of)
/** In a fan-out's log, tasks take the role of calls. */
export const spawnCall = () =>
  text(
    "ID of the spawn call in a run's log: `call_` and 26 characters. In a fan-out's log, " +
      'the index of the task, or `then` for the closing run',
  )
export const etag = (of: string) => text(`ETag of ${of}, without quotes`)
export const layer = (words = 'Layer') =>
  text(`${words}, as a prefix: \`base/\`, \`roles/<role>/\`, or \`repos/<name>/\``)
export const runStep = (words: string) => count(`${words}, from 0`)
export const stopReasons =
  '`end_turn`: the model finished. `max_tokens`: the last response was cut off. ' +
  '`max_steps`, `budget`: a limit was reached. `refusal`: the model refused. `error`, ' +
  '`cancelled`, `timeout`: the run did not complete. `denied` is reserved'

/** Ids in paths. */
export const PATH_ID = {
  run: `ID of the run, ${form('run')}`,
  fanout: `ID of the fan-out, ${form('fan')}`,
  session: `ID of the session, ${form('ses')}`,
  approval: 'ID of the approval, `apr_` and 52 characters',
  endpoint: `ID of the endpoint, ${form('whe')}`,
  delivery: `ID of the delivery, ${form('dlv')}`,
  hook: `ID of the hook, ${form('hk')}`,
  schedule: `Name or ID of the schedule, ${form('sch')}`,
  version: `ID of the version, ${form('ver')}`,
} as const
