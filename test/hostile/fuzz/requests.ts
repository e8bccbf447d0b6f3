/**
 * Requests made from openapi.yaml by a seed: every operation, with what its schemas allow and what
 * they do not, ids of things that are there mixed with foreign and absurd ones.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { OPERATIONS as MANAGED } from '../../../src/core/manage/operations.ts'
import { chance } from '../../support/chance.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema as it stands in the document.
type Schema = any
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}
interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly content: Readonly<Record<string, { schema?: Schema }>> | undefined
}

const DOCUMENT = parse(readFileSync(join(import.meta.dirname, '../../../openapi.yaml'), 'utf8'))
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The parameter, or the component that stands for it. */
const referenced = (parameter: Schema): Parameter =>
  parameter.$ref ? DOCUMENT.components.parameters[parameter.$ref.replace(/^.*\//, '')] : parameter

export const OPERATIONS: readonly Operation[] = Object.entries(
  DOCUMENT.paths as Record<string, Schema>,
).flatMap(([path, of]) =>
  METHODS.filter((method) => of[method]).map((method) => ({
    method: method.toUpperCase(),
    path,
    parameters: (of[method].parameters ?? []).map(referenced),
    content: of[method].requestBody?.content,
  })),
)

/** Codes that the contract knows. */
export const CODES: ReadonlySet<string> = new Set(
  DOCUMENT.components.schemas.Problem.properties.code.enum,
)

/** Ids and names of things that are there, by what they are called in a path. */
export type Known = readonly string[]

export interface Case {
  readonly seed: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly operation: string
}

/** Above every limit, and not so large that sending it is what takes the time. */
const LARGEST = 1_500_000
/** Characters that a value has at least, with its name. */
const SMALLEST = 8

const ABSURD = [
  'x',
  '__proto__',
  'constructor',
  '%2e%2e',
  '%00',
  '%ff',
  '%ED%A0%80',
  '..%2f..%2fx',
  'a'.repeat(300),
  'a'.repeat(3_000),
  'run_00000000000000000000000000',
  'ses_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'fan_00000000000000000000000000',
  'hk_00000000000000000000000000',
  `apr_${'0'.repeat(52)}`,
  'RUN_00000000000000000000000000',
  '%E2%80%AE',
  '%F0%9F%98%80',
  ';',
  '*',
  '-',
  '%252e',
  'null',
  '0',
]
const TEXTS = [
  '',
  'x',
  '@say hello',
  '@call file_list {}',
  '../../x',
  '__proto__',
  '\u202e\u200b',
  '\u0000',
  '\ud800',
  'é'.repeat(100),
  'y'.repeat(70_000),
  '{{x}}',
  'http://169.254.169.254/',
  'https://receiver.example/hook',
  '---\nname: a-b\ndescription: x\n---\nBody.\n',
  '---\n'.repeat(5_000),
  '*a'.repeat(60),
  '{a,{b,c}}'.repeat(20),
  '(a+)+$',
  '1e400',
  '😀',
]
const NUMBERS = [0, -1, 1, 2, 0.5, 100, 1e9, 1e300, -0, 2 ** 53, 50]
const MCP_METHODS = [
  'initialize',
  'tools/list',
  'tools/call',
  'ping',
  'notifications/initialized',
  'resources/list',
  'x',
  '__proto__',
]
const RAW = [
  '',
  '{',
  'null',
  '[]',
  '1',
  '"x"',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '['.repeat(30_000),
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  '{"__proto__":{}}',
  '\u0000',
  'x'.repeat(300_000),
]
const TYPES = ['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '']

class Maker {
  readonly #next: () => number
  readonly #known: Known
  /** About how many characters of JSON have been made. */
  #made = 0

  constructor(seed: number, known: Known) {
    this.#next = chance(seed)
    this.#known = known
  }

  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  often(share: number): boolean {
    return this.#next() < share
  }

  id(): string {
    return this.often(0.6) && this.#known.length > 0
      ? encodeURIComponent(this.pick(this.#known))
      : this.pick(ABSURD)
  }

  anything(depth = 0): unknown {
    const kinds = [
      () => null,
      () => this.often(0.5),
      () => this.pick(NUMBERS),
      () => this.pick(TEXTS),
      () =>
        depth > 3 ? [] : Array.from({ length: this.below(4) }, () => this.anything(depth + 1)),
      () =>
        depth > 3 ? {} : { [this.pick(['a', '__proto__', 'type', ''])]: this.anything(depth + 1) },
    ]
    return this.pick(kinds)()
  }

  /** What the schema allows, but for one place in a dozen. */
  value(given: Schema, depth = 0): unknown {
    // Lists of lists of large texts have no end, and what is sent is cut off anyway.
    this.#made += SMALLEST
    if (this.#made > LARGEST) return null
    const schema = resolved(given)
    if (this.often(0.03) || depth > 6) return this.anything(depth)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return this.pick(schema.enum)
    const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (branches) return this.value(this.pick(branches), depth + 1)
    const type = Array.isArray(schema.type) ? this.pick(schema.type as string[]) : schema.type
    switch (type) {
      case 'string':
        return this.text(schema)
      case 'integer':
      case 'number':
        return this.often(0.8)
          ? (schema.minimum ?? 0) + this.below(5) + (schema.exclusiveMinimum === 0 ? 1 : 0)
          : this.pick(NUMBERS)
      case 'boolean':
        return this.often(0.5)
      case 'null':
        return null
      case 'array': {
        const least = schema.minItems ?? 0
        const count = this.often(0.03) ? 300 : least + this.below(3)
        return Array.from({ length: count }, () => this.value(schema.items ?? {}, depth + 1))
      }
      case 'object':
        return this.object(schema, depth)
      default:
        return this.anything(depth)
    }
  }

  text(schema: Schema): string {
    if (this.often(0.25)) return this.pick(this.#known.length > 0 ? this.#known : TEXTS)
    const text = this.pick(TEXTS)
    this.#made += text.length
    return schema.maxLength !== undefined && this.often(0.8)
      ? text.slice(0, schema.maxLength)
      : text
  }

  object(schema: Schema, depth: number): Record<string, unknown> {
    const required: readonly string[] = schema.required ?? []
    const made: Record<string, unknown> = {}
    // Few members are taken more often: each is one more reason to refuse the whole.
    const absent = this.pick([0.4, 0.8, 0.95])
    for (const [name, of] of Object.entries(schema.properties ?? {})) {
      if (!required.includes(name) && this.often(absent)) continue
      if (required.includes(name) && this.often(0.03)) continue
      made[name] = this.value(of, depth + 1)
    }
    if (schema.additionalProperties && typeof schema.additionalProperties === 'object') {
      const count = this.often(0.03) ? 5_000 : this.below(3)
      for (let nth = 0; nth < count; nth += 1) {
        made[`${this.pick(['k', 'X-A', 'name'])}${nth}`] = this.value(
          schema.additionalProperties,
          depth + 1,
        )
      }
    }
    if (this.often(0.04)) made[this.pick(['extra', 'tenant_id', 'constructor'])] = this.anything()
    return made
  }
}

function resolved(schema: Schema): Schema {
  const reference: string | undefined = schema?.$ref
  if (reference === undefined) return schema ?? {}
  return resolved(DOCUMENT.components.schemas[reference.replace(/^.*\//, '')])
}

/** Header values that a client library sends at all. */
const sendable = (value: string): string =>
  value
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 2_000)
    .trim()

/** The same seed and things that are there give the same request. */
export function caseOf(seed: number, known: Known): Case {
  const make = new Maker(seed, known)
  // One operation after the other: a run of seeds covers them all.
  const operation = OPERATIONS[seed % OPERATIONS.length]!
  const headers: Record<string, string> = {}
  const query: string[] = []
  let path = operation.path.replaceAll(/\{(\w+)\}/g, () => make.id())
  for (const { name, in: where, required, schema } of operation.parameters) {
    if (where === 'path' || (!required && make.often(0.5))) continue
    const value = make.often(0.15) ? make.pick(TEXTS) : String(make.value(schema))
    if (where === 'header') headers[name] = sendable(value)
    else
      query.push(
        `${name}=${encodeURIComponent(value.isWellFormed() ? value.slice(0, 3_000) : 'x')}`,
      )
  }
  if (make.often(0.05))
    query.push(make.pick(['x=1', 'limit=1&limit=2', '__proto__[a]=1', '%ff', '&&&=']))
  if (make.often(0.05)) headers.accept = make.pick(['text/html', '*/*', 'application/json', ''])
  if (query.length > 0) path += `?${query.join('&')}`
  const body = bodyOf(make, operation, headers)?.slice(0, LARGEST)
  const { method } = operation
  return { seed, method, path, headers, body, operation: `${method} ${operation.path}` }
}

function bodyOf(
  make: Maker,
  operation: Operation,
  headers: Record<string, string>,
): string | undefined {
  const [type, of] = Object.entries(operation.content ?? {})[0] ?? []
  if (type === undefined || make.often(0.03)) return undefined
  headers['content-type'] = make.often(0.05) ? make.pick(TYPES) : type
  if (make.often(0.08)) return make.pick(RAW)
  if (operation.path === '/mcp') {
    headers.accept = 'application/json, text/event-stream'
    return JSON.stringify(rpc(make))
  }
  if (of?.schema) return JSON.stringify(make.value(of.schema))
  return make.often(0.5) ? make.pick(TEXTS) : JSON.stringify(make.anything())
}

const OPERATION_NAMES = Object.keys(MANAGED)

function rpc(make: Maker): unknown {
  const method = make.often(0.5) ? 'tools/call' : make.pick(MCP_METHODS)
  const call = {
    name: make.often(0.8) ? make.pick(OPERATION_NAMES) : make.pick(TEXTS),
    arguments: make.anything(),
  }
  return {
    jsonrpc: make.often(0.95) ? '2.0' : make.anything(),
    ...(make.often(0.9) ? { id: make.often(0.9) ? 1 : make.anything() } : {}),
    method: make.often(0.97) ? method : make.anything(),
    params: method === 'tools/call' && make.often(0.9) ? call : make.anything(),
  }
}
