/**
 * Findings about a server's tools, for people: descriptions that give a model orders, and schemas
 * that are not used unchanged. Findings do not remove tools.
 */

import { quoteText, visible } from '../../lib/invisible-characters.ts'
import { LIMITS } from '../limits.ts'
import { usable } from './schema-lint.ts'
import { orderIn } from './tool-orders.ts'

export interface ToolFinding {
  readonly code: 'tool_orders' | 'tool_schema'
  /** Name of the tool with the finding; null for the count of remaining findings. */
  readonly tool: string | null
  readonly message: string
}

interface Texts {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** Returns findings about tools, up to a maximum per kind. Further findings are only counted. */
export function toolFindings(tools: readonly Texts[]): readonly ToolFinding[] {
  const orders = tools.flatMap(({ name, ...texts }) => {
    const words = orderOf(texts)
    if (words === undefined) return []
    const message =
      `the tool ${quoteText(name, NAME_BYTES)} instructs the model: ` +
      `${quoteText(words, WORDS_BYTES)}`
    return [{ code: 'tool_orders' as const, tool: name, message }]
  })
  const schemas = tools.flatMap(({ name, input_schema }) => {
    const message = schemaFault(name, input_schema)
    return message === undefined ? [] : [{ code: 'tool_schema' as const, tool: name, message }]
  })
  return [
    ...limitFindings(orders, 'of its tools instruct the model'),
    ...limitFindings(schemas, 'of its tools have schemas that cannot be used unchanged'),
  ]
}

const NAME_BYTES = 80
const WORDS_BYTES = 160

function limitFindings(findings: readonly ToolFinding[], subject: string): readonly ToolFinding[] {
  const more = findings.length - LIMITS.tool_findings
  if (more <= 0) return findings
  const { code } = findings[0]!
  const overflow = { code, tool: null, message: `${more} more ${subject}` }
  return [...findings.slice(0, LIMITS.tool_findings), overflow]
}

/**
 * Caches orders found in tools by object identity, because tool lists are kept in memory and read
 * by each run that starts.
 */
const orderCache = new WeakMap<object, { readonly description: string; readonly words?: string }>()

function orderOf({ description, input_schema }: Omit<Texts, 'name'>): string | undefined {
  const cached = orderCache.get(input_schema)
  if (cached?.description === description) return cached.words
  const words = orderIn(description) ?? orderIn(textsIn(usable(input_schema).root))
  orderCache.set(input_schema, { description, ...(words === undefined ? {} : { words }) })
  return words
}

/** Returns all text in a schema unchanged, including member names. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, member]) => `${key} ${textsIn(member)}`)
    .join(' ')
}

function schemaFault(name: string, schema: Texts['input_schema']): string | undefined {
  const { faults } = usable(schema)
  const tool = `the tool ${quoteText(name, NAME_BYTES)}`
  const [first] = faults
  if (first === undefined) return undefined
  if (first.pointer === '' && !first.kept)
    return `the schema of ${tool} now accepts any object: ${first.message}`
  return `${tool}: ${uncheckedBy(faults)}`
}

const FAULTS_SHOWN = 5
const POINTER_SHOWN = 100

/** Returns the locations of schema parts that are not used to check arguments. */
export function uncheckedBy(
  faults: readonly { readonly pointer: string; readonly message: string }[],
): string {
  const places = faults
    .slice(0, FAULTS_SHOWN)
    .map(
      ({ pointer, message }) =>
        `${JSON.stringify(visible(pointer.slice(0, POINTER_SHOWN)).text)} (${message})`,
    )
  const more = faults.length > places.length ? ' and more' : ''
  return `arguments are not validated against the schema at ${places.join(', ')}${more}`
}
