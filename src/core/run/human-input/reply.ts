/**
 * Parses a user's message as the answer to an MCP server's form. Accepts a JSON object, a line
 * `name: value` per field, or the plain value for a single field. The user may also decline with
 * `{"action": "decline"}`.
 */

import { byteLength } from '../../../lib/bytes.ts'
import { getOwn } from '../../../lib/own-member.ts'
import { LIMITS } from '../../limits.ts'
import { schemaError } from '../../tools/schema.ts'
import { isMap } from '../../tools/schema-values.ts'
import type { Form, ServerRequest } from '../log/question-facts.ts'
import type { Pause } from '../state/state.ts'

/** Reply to a server's request in the protocol's terms; `cancel` means that there is no answer. */
interface Reply {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}
export type Replies = Readonly<Record<string, Reply>>

/**
 * Whether people can answer the form of a server's request: it is bounded, and its field names are
 * unique.
 */
export function isAskable(requests: readonly ServerRequest[], state: string | undefined): boolean {
  const names = requests.flatMap(({ form }) => (form ? Object.keys(propertiesOf(form)) : []))
  const isFlat = requests.every(
    ({ form }) => !form || Object.values(propertiesOf(form)).every(isField),
  )
  return (
    requests.length > 0 &&
    isFlat &&
    names.length <= LIMITS.form_fields &&
    new Set(names).size === names.length &&
    byteLength(JSON.stringify(requests)) <= LIMITS.form_bytes &&
    byteLength(state ?? '') <= LIMITS.commit_row_bytes
  )
}

/** Whether a form field has a single value, or several values from a list. */
const isField = (schema: unknown): boolean =>
  isMap(schema) && schema.type !== 'object' && schema.$ref === undefined

/** Returns whether a pause needs an approval (for a confirmation) or an answer (for a form). */
export const pausesOn = (requests: readonly ServerRequest[]): 'approval' | 'input' =>
  requests.some(({ form }) => form !== undefined) ? 'input' : 'approval'

/** Returns the replies to a settled pause; `text` is the person's answer, if there is one. */
export function repliesTo(
  { on, requests, asked: approval }: Pause,
  text: string | undefined,
): Replies {
  if (on === 'approval') {
    const verdict = approval?.decision?.decision
    const action = verdict === 'approve' ? 'accept' : verdict === 'deny' ? 'decline' : 'cancel'
    return forAll(requests, { action })
  }
  if (text === undefined) return forAll(requests, { action: 'cancel' })
  const replies = repliesIn(requests, text)
  return typeof replies === 'string' ? forAll(requests, { action: 'decline' }) : replies
}

/**
 * Parses replies to a server's requests from a text, or returns a message that explains why the
 * text does not match.
 */
export function repliesIn(requests: readonly ServerRequest[], text: string): Replies | string {
  const data = parsed(text.trim())
  const declined = isMap(data) && isRefusal(data)
  if (declined) return forAll(requests, { action: data.action as Reply['action'] })
  const forms = requests.flatMap(({ form }) => (form ? [form] : []))
  const values = isMap(data) ? data : fromText(forms, text.trim())
  if (typeof values === 'string') return values
  const replies: Record<string, Reply> = {}
  for (const { key, form } of requests) {
    // A confirmation next to a form has no approval and is ignored.
    const content = form && fieldsOf(form, values)
    if (content) {
      const wrong = schemaError(form, content)
      if (wrong !== undefined) return wrong
    }
    replies[key] = content ? { action: 'accept', content } : { action: 'decline' }
  }
  const fieldNames = forms.flatMap((form) => Object.keys(propertiesOf(form)))
  const unknown = Object.keys(values).filter((name) => !fieldNames.includes(name))
  return unknown.length === 0 ? replies : `#: unknown ${unknown.join(', ')}; ${fieldsIn(forms)}`
}

const forAll = (requests: readonly ServerRequest[], reply: Reply): Replies =>
  Object.fromEntries(requests.map(({ key }) => [key, reply]))

const isRefusal = (data: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(data).length === 1 && (data.action === 'decline' || data.action === 'cancel')

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const propertiesOf = (form: Form): Readonly<Record<string, unknown>> =>
  isMap(form.properties) ? form.properties : {}

/** Returns the given values that belong to fields of the form. */
function fieldsOf(form: Form, values: Readonly<Record<string, unknown>>) {
  const names = Object.keys(propertiesOf(form)).filter((name) => getOwn(values, name) !== undefined)
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

function fromText(forms: readonly Form[], text: string): Record<string, unknown> | string {
  const fields = forms.flatMap((form) => Object.entries(propertiesOf(form)))
  const [only] = fields
  if (only && fields.length === 1) return { [only[0]]: typed(only[1], text) }
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line]))
  const values: Record<string, unknown> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    const name = line.slice(0, Math.max(0, at)).trim()
    const field = fields.find(([key, schema]) => key === name || titleOf(schema) === name)
    if (!field) return `#: ${fieldsIn(forms)}`
    values[field[0]] = typed(field[1], line.slice(at + 1).trim())
  }
  return values
}

function fieldsIn(forms: readonly Form[]): string {
  const names = forms.flatMap((form) => Object.keys(propertiesOf(form)))
  return `answer with a JSON object or a line "name: value" for each field: ${names.join(', ')}`
}

const titleOf = (schema: unknown): unknown => (isMap(schema) ? schema.title : undefined)

/** Converts a person's text to the type of the field; the schema is validated afterwards. */
function typed(schema: unknown, text: string): unknown {
  const type = isMap(schema) ? schema.type : undefined
  if (type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text
  if (type === 'number' || type === 'integer') return text === '' ? text : Number(text)
  if (type === 'array') return text === '' ? [] : text.split(',').map((item) => item.trim())
  return text
}

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])
