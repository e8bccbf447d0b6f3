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
  textOrNull(`${of} (${form(prefix)}); null: ${none}`)
/** An ID member that can be absent. */
export const idAbsent = (prefix: Prefix, of: string, none: string) =>
  text(`${of} (${form(prefix)}); absent: ${none}`).optional()
/** A scope that a key can have. */
export const GrantText = z
  .union([z.enum(GRANTS), z.string().max(300).regex(LAYER_GRANT)], {
    error:
      'One of the scopes, or `layers:write:` and a prefix of layers, such as ' + 'roles/support/.',
  })
  .describe(
    'A scope, a family (`runs:*`), all (`*`), or `layers:write:roles/support/`: write ' +
      'access to layers below that prefix',
  )

/** The member `object`: the kind of thing. */
export const kindIs = <T extends string>(kind: T) =>
  z.literal(kind).describe(`Always \`${kind}\`; the type of the object`)

export const time = (subject: string) => text(`${subject} (RFC 3339, UTC)`)
export const timeOrNull = (subject: string, none: string) =>
  textOrNull(`${subject} (RFC 3339, UTC); null: ${none}`)

export const sha256Of = (of: string) => text(`SHA-256 of ${of} (64 hex digits)`)
export const agentName = (of = 'The agent') => text(`${of}, by its ID in the layers`)
export const labelOrNull = () => textOrNull('A short name for people; null: none')
export const metadata = (of: string) =>
  z.record(z.string(), z.string()).describe(`Metadata of ${of}, as set by the caller; empty: none`)
/** Input of a caller. */
export const metadataGiven = () =>
  Metadata.describe(
    'Your own key-value pairs, shown in lists and webhooks: at most ' +
      `${LIMITS.metadata_pairs}, keys of up to 64 characters, values of up to 512`,
  ).optional()

/** The call of a log that something belongs to. */
export const callId = (of = 'The tool call') => idOf('call', of)
/** In a fan-out's log, tasks take the role of calls. */
export const spawnCall = () =>
  text(
    'The spawn call in the log of a run: `call_` and 26 characters. In the log of a ' +
      'fan-out: the index of the task, or `then` for the closing run',
  )
export const etag = (of: string) => text(`ETag of ${of}, without quotes`)
export const layer = (words = 'The layer') =>
  text(`${words}, by prefix: \`base/\`, \`roles/<role>/\`, \`repos/<name>/\``)
export const runStep = (words: string) => count(`${words}, from 0`)
export const stopReasons =
  '`end_turn`: the model finished. `max_tokens`: its last answer was cut off. ' +
  '`max_steps`, `budget`: a limit was reached. `refusal`: the model refused. `error`, ' +
  '`cancelled`, `timeout`: it did not complete. `denied` is reserved'

/** Ids in paths. */
export const PATH_ID = {
  run: `ID of the run, ${form('run')}`,
  fanout: `ID of the fan-out, ${form('fan')}`,
  session: `ID of the session, ${form('ses')}`,
  approval: 'ID of the approval, `apr_` and 52 characters',
  endpoint: `ID of the endpoint, ${form('whe')}`,
  delivery: `ID of the delivery, ${form('dlv')}`,
  hook: `ID of the hook, ${form('hk')}`,
  schedule: `Name of the schedule, or its ID, ${form('sch')}`,
  version: `ID of the version, ${form('ver')}`,
} as const
