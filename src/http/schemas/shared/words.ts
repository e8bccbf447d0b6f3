/**
 * Schemas that many other schemas share: IDs, digests, times, and names. Each is described once.
 */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { Metadata } from '../../../core/run/request.ts'
import { GRANTS, LAYER_GRANT } from '../../../core/scopes.ts'
import { isId, type Prefix } from '../../../lib/id.ts'
import { dayOf, iso, parseTime } from '../../../lib/time.ts'

/**
 * Returns metadata for a schema with all members of a base schema that has an ID; the contract
 * composes both by `allOf`.
 */
export const extending = (base: z.ZodType) => ({ 'x-extends': z.globalRegistry.get(base)?.id })

/** Creates a string schema with a description. */
export const text = (words: string) => z.string().describe(words)
export const textOrNull = (words: string) => z.string().nullable().describe(words)
export const count = (words: string) => z.int().describe(words)
export const countOrNull = (words: string) => z.int().nullable().describe(words)

/** Describes the format of IDs that `lib/id.ts` generates. */
const form = (prefix: Prefix) => `\`${prefix}_\` followed by 26 characters`
export const idOf = (prefix: Prefix, of: string) => text(`${of} (${form(prefix)})`)
export const idOrNull = (prefix: Prefix, of: string, none: string) =>
  textOrNull(`${of} (${form(prefix)}); \`null\` if ${none}`)
/** Creates the schema of an ID member that can be absent. */
export const idAbsent = (prefix: Prefix, of: string, none: string) =>
  text(`${of} (${form(prefix)}); absent if ${none}`).optional()
/**
 * Creates the schema of a filter by ID; rejects an ID of another format, which would match nothing.
 */
export const idFilter = (prefix: Prefix, of: string) =>
  idOf(prefix, of)
    .refine((id) => isId(prefix, id), { error: `Must be an ID: ${form(prefix)}` })
    .optional()
/** Creates the schema of a filter that is a list of values, separated by commas. */
export const oneOrMore = <const T extends readonly string[]>(values: T) => {
  const error = `Must be one or more of ${values.join(', ')}, separated by commas.`
  return z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(values, { error })).max(values.length, { error }))
    .optional()
}
/** Creates the schema of a filter by statuses. */
export const statusFilter = <T extends Readonly<Record<string, string>>>(status: z.ZodEnum<T>) =>
  oneOrMore(status.options).describe(
    `Statuses to include, separated by commas: ${status.options.join(', ')}. ` +
      'Defaults to all statuses',
  )
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/
/** Returns whether a day exists; `Date.parse` reads February 30 as March 2. */
const isDate = (day: string): boolean => dayOf(parseTime(day) ?? 0) === day
/** Returns whether a time has a year of four digits in UTC, so that positions of lists compare. */
const isListed = (text: string): boolean => {
  const ms = parseTime(text)
  return ms !== undefined && /^\d{4}-/.test(iso(ms))
}
const moment = (subject: string) =>
  z
    .string()
    .refine((text) => RFC3339.test(text) && isDate(text.slice(0, 10)) && isListed(text), {
      error: 'The time must have the RFC 3339 format, such as 2026-11-23T10:00:00Z.',
    })
    .transform((text) => iso(parseTime(text)!))
    .optional()
    .describe(subject)
/** Schemas of the filters by creation time. */
export const createdFilter = {
  'created[gte]': moment('Earliest creation time to include (RFC 3339)'),
  'created[lt]': moment('Creation time (RFC 3339) before which items are included'),
}
/** Creates the schema of a search by words; all words must occur in the searched members. */
export const searchText = (members: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(`Words to search for; case is ignored, and each word must occur in ${members}`)
/** Schema of a scope that an API key can have. */
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

/** Creates the schema of the `object` member, which names the kind of resource. */
export const kindIs = <T extends string>(kind: T) =>
  z.literal(kind).describe(`Type of the object, always \`${kind}\``)

export const time = (subject: string) => text(`${subject} (RFC 3339, UTC)`)
export const timeOrNull = (subject: string, none: string) =>
  textOrNull(`${subject} (RFC 3339, UTC); \`null\` if ${none}`)

/** Creates the schema of the ID of an end user, which the caller chooses. */
export const subject = () => z.string().trim().min(1).max(200).optional()
/** Creates the schema of the end user on whose behalf a run or a fan-out acts. */
export const actsFor = (of: string) =>
  subject().describe(
    `ID of the end user on whose behalf ${of} acts, chosen by the caller; secrets of this user ` +
      "take precedence over the tenant's. Applies to all descendants. Tokens cannot set it",
  )

export const sha256Of = (of: string) => text(`SHA-256 of ${of} (64 hex digits)`)
export const agentName = (of = 'The agent') => text(`${of}, identified by ID in the layers`)
export const labelOrNull = () => textOrNull('Short human-readable name; `null` if not set')
export const metadata = (of: string) =>
  z
    .record(z.string(), z.string())
    .describe(`Metadata for ${of}, as set by the caller; empty if there is none`)
/** Creates the schema of metadata that the caller sends. */
export const metadataGiven = () =>
  Metadata.describe(
    `Key-value pairs, shown in lists and webhooks: at most ${LIMITS.metadata_pairs} ` +
      'pairs, with keys of up to 64 characters and values of up to 512',
  ).optional()

/** Creates the schema of a tool call ID in a log. */
export const callId = (of = 'ID of the tool call') => idOf('call', of)
/**
 * Creates the schema of the member that names the spawn call in a run's log, or the task in a
 * fan-out's log.
 */
export const spawnCall = () =>
  text(
    "ID of the spawn call in a run's log: `call_` followed by 26 characters. In a fan-out's log, " +
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

/** Schemas of the IDs in request paths. */
export const PATH_ID = {
  run: `ID of the run, ${form('run')}`,
  fanout: `ID of the fan-out, ${form('fan')}`,
  session: `ID of the session, ${form('ses')}`,
  approval: 'ID of the approval, `apr_` followed by 52 characters',
  endpoint: `ID of the endpoint, ${form('whe')}`,
  delivery: `ID of the delivery, ${form('dlv')}`,
  hook: `ID of the hook, ${form('hk')}`,
  schedule: `Name or ID of the schedule, ${form('sch')}`,
  version: `ID of the version, ${form('ver')}`,
  auditEntry: `ID of the audit entry, ${form('ver')}`,
} as const
