/**
 * Differences of two versions of openapi.yaml, each with its meaning for programs that were written
 * against the older one. A request may not be asked for more or allowed less; an answer may not
 * lack what it had or be of another kind.
 */

type Weight = 'breaking' | 'compatible'
export interface Change {
  readonly weight: Weight
  /** `POST /v1/runs request /limits/max_steps`. */
  readonly place: string
  readonly says: string
}

type Node = Readonly<Record<string, unknown>>
/** Requests are written by programs, answers read by them. */
type Side = 'request' | 'answer'

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const node = (value: unknown): Node => (isNode(value) ? value : {})
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Both documents parsed; the older first. */
export function contractChanges(before: Node, after: Node): readonly Change[] {
  const found: Change[] = []
  const add = (weight: Weight, place: string, says: string): unknown =>
    found.push({ weight, place, says })
  const [was, is] = [operations(before), operations(after)]
  for (const [name, operation] of was) {
    const now = is.get(name)
    if (!now) add('breaking', name, 'is gone')
    else new Comparison(before, after, add).operation(name, operation, now)
  }
  for (const name of is.keys()) if (!was.has(name)) add('compatible', name, 'is new')
  return found
}

function operations(document: Node): Map<string, Node> {
  const found = new Map<string, Node>()
  for (const [path, item] of Object.entries(node(document.paths)))
    for (const method of METHODS)
      if (isNode(node(item)[method]))
        found.set(`${method.toUpperCase()} ${path}`, node(node(item)[method]))
  return found
}

class Comparison {
  readonly #before: Node
  readonly #after: Node
  readonly #add: (weight: Weight, place: string, says: string) => unknown
  /** Schemas refer to themselves. */
  readonly #seen = new Set<string>()

  constructor(before: Node, after: Node, add: Comparison['add']) {
    this.#before = before
    this.#after = after
    this.#add = add
  }

  add(weight: Weight, place: string, says: string): unknown {
    return this.#add(weight, place, says)
  }

  operation(name: string, was: Node, is: Node): void {
    this.#parameters(name, was, is)
    const [bodyWas, bodyIs] = [node(was.requestBody), node(is.requestBody)]
    if (bodyIs.required === true && bodyWas.required !== true)
      this.add('breaking', `${name} request`, 'a body is required')
    this.#contents(`${name} request`, 'request', bodyWas.content, bodyIs.content)
    const [answersWas, answersIs] = [node(was.responses), node(is.responses)]
    for (const [status, answer] of Object.entries(answersWas)) {
      if (!status.startsWith('2')) continue
      const place = `${name} ${status}`
      if (!(status in answersIs)) this.add('breaking', place, 'is answered no more')
      else this.#contents(place, 'answer', node(answer).content, node(answersIs[status]).content)
    }
    this.#refusals(name, answersWas, answersIs)
  }

  /** A status that an operation no longer lists, which its `default` covers if it has one. */
  #refusals(name: string, was: Node, is: Node): void {
    const gone = Object.keys(was).filter((status) => !status.startsWith('2') && !(status in is))
    if (gone.length === 0) return
    const says = 'default' in is ? 'stands in `default` now' : 'is answered no more'
    this.add('compatible', `${name} ${gone.join(', ')}`, says)
  }

  #parameters(name: string, was: Node, is: Node): void {
    const [old, now] = [parametersOf(this.#before, was), parametersOf(this.#after, is)]
    for (const [key, parameter] of old) {
      const place = `${name} ${key}`
      const next = now.get(key)
      if (!next) this.add('breaking', place, 'is taken no more')
      else {
        if (next.required && !parameter.required) this.add('breaking', place, 'is required')
        this.#schema(place, 'request', parameter.schema, next.schema)
      }
    }
    for (const [key, { required }] of now)
      if (!old.has(key)) this.add(required ? 'breaking' : 'compatible', `${name} ${key}`, 'is new')
  }

  #contents(place: string, side: Side, was: unknown, is: unknown): void {
    for (const [type, media] of Object.entries(node(was))) {
      const now = node(is)[type]
      if (now === undefined) this.add('breaking', place, `${type} is gone`)
      else this.#schema(place, side, node(media).schema, node(now).schema)
    }
    for (const type of Object.keys(node(is)))
      if (!(type in node(was))) this.add('compatible', place, `${type} is new`)
  }

  #schema(place: string, side: Side, given: unknown, next: unknown): void {
    const key = `${side} ${JSON.stringify([node(given).$ref, node(next).$ref])}`
    if (node(given).$ref !== undefined && this.#seen.has(key)) return
    this.#seen.add(key)
    const [was, is] = [resolved(this.#before, given), resolved(this.#after, next)]
    this.#kinds(place, side, was, is)
    this.#bounds(place, side, was, is)
    this.#members(place, side, was, is)
    if (was.items !== undefined && is.items !== undefined)
      this.#schema(`${place}/-`, side, was.items, is.items)
    for (const word of ['anyOf', 'oneOf']) this.#choices(place, side, was[word], is[word])
  }

  /** Types and enumerated values: fewer break requests, more widen answers. */
  #kinds(place: string, side: Side, was: Node, is: Node): void {
    for (const [word, old, now] of [
      ['type', listOf(was.type), listOf(is.type)],
      ['value', valuesOf(was), valuesOf(is)],
    ] as const) {
      if (!old || !now) continue
      const gone = old.filter((one) => !now.includes(one))
      const fresh = now.filter((one) => !old.includes(one))
      if (gone.length > 0)
        this.add(side === 'request' ? 'breaking' : 'compatible', place, `${word} ${gone} is gone`)
      if (fresh.length === 0) continue
      // Programs must pass over values that they do not know; another type they cannot read.
      const weight = side === 'answer' && word === 'type' ? 'breaking' : 'compatible'
      this.add(weight, place, `${word} ${fresh} is new`)
    }
  }

  #bounds(place: string, side: Side, was: Node, is: Node): void {
    if (side === 'answer') return
    for (const [word, sign] of BOUNDS) {
      const [old, now] = [was[word], is[word]]
      if (typeof now !== 'number' || old === now) continue
      const narrower = typeof old !== 'number' || (now - old) * sign < 0
      this.add(
        narrower ? 'breaking' : 'compatible',
        place,
        `${word} ${old ?? 'none'} is now ${now}`,
      )
    }
  }

  #members(place: string, side: Side, was: Node, is: Node): void {
    const [old, now] = [node(was.properties), node(is.properties)]
    const needed = (schema: Node, name: string): boolean =>
      Array.isArray(schema.required) && schema.required.includes(name)
    for (const [name, schema] of Object.entries(old)) {
      const at = `${place}/${name}`
      if (!(name in now)) {
        this.add('breaking', at, side === 'request' ? 'is taken no more' : 'is gone')
        continue
      }
      if (side === 'request' && needed(is, name) && !needed(was, name))
        this.add('breaking', at, 'is required')
      if (side === 'answer' && needed(was, name) && !needed(is, name))
        this.add('breaking', at, 'may be absent')
      this.#schema(at, side, schema, now[name])
    }
    for (const name of Object.keys(now)) {
      if (name in old || Object.keys(old).length === 0) continue
      const breaks = side === 'request' && needed(is, name)
      this.add(breaks ? 'breaking' : 'compatible', `${place}/${name}`, 'is new')
    }
  }

  /** Alternatives by their name, where they have one, else by their place. */
  #choices(place: string, side: Side, was: unknown, is: unknown): void {
    if (!Array.isArray(was) || !Array.isArray(is)) return
    const references = (list: readonly unknown[]): unknown[] => list.map((one) => node(one).$ref)
    const both = references(was).filter((one) => references(is).includes(one))
    const named = (document: Node, list: readonly unknown[]): Map<string, unknown> =>
      new Map(list.map((one, at) => [choiceName(document, one, both) ?? String(at), one]))
    const [old, now] = [named(this.#before, was), named(this.#after, is)]
    const label = (name: string, schema: unknown): unknown => node(schema).$ref ?? name
    for (const [name, schema] of old) {
      if (now.has(name)) this.#schema(place, side, schema, now.get(name))
      else {
        const weight = side === 'request' ? 'breaking' : 'compatible'
        this.add(weight, place, `${label(name, schema)} is gone`)
      }
    }
    for (const [name, schema] of now)
      if (!old.has(name)) this.add('compatible', place, `${label(name, schema)} is new`)
  }
}

/** A component that both versions name, else the type of an event, else the type of the value. */
function choiceName(
  document: Node,
  choice: unknown,
  components: readonly unknown[],
): string | undefined {
  const { $ref } = node(choice)
  if (typeof $ref === 'string' && components.includes($ref)) return $ref
  const { properties, type } = resolved(document, choice)
  const { const: event } = node(node(properties).type)
  return event === undefined && type === undefined ? undefined : String(event ?? type)
}

/** The sign of what is wider. */
const BOUNDS: readonly (readonly [string, number])[] = [
  ['maximum', 1],
  ['maxLength', 1],
  ['maxItems', 1],
  ['minimum', -1],
  ['minLength', -1],
  ['minItems', -1],
]

const listOf = (value: unknown): readonly string[] | undefined =>
  value === undefined ? undefined : [value].flat().map(String)
const valuesOf = ({ enum: values, const: value }: Node): readonly string[] | undefined =>
  Array.isArray(values) ? values.map(String) : value === undefined ? undefined : [String(value)]

function parametersOf(
  document: Node,
  operation: Node,
): Map<string, { required: boolean; schema: unknown }> {
  const list = Array.isArray(operation.parameters) ? operation.parameters : []
  return new Map(
    list
      .map((one) => resolved(document, one))
      .map((one) => [
        `${one.in} ${one.name}`,
        { required: one.required === true, schema: one.schema },
      ]),
  )
}

/** The schema with what it refers to, and with the members of all parts of an `allOf`. */
function resolved(document: Node, schema: unknown): Node {
  const { $ref, allOf, ...own } = node(schema)
  const parts = [
    ...(typeof $ref === 'string' ? [resolved(document, target(document, $ref))] : []),
    ...(Array.isArray(allOf) ? allOf.map((part) => resolved(document, part)) : []),
    own,
  ]
  const properties = Object.assign({}, ...parts.map((part) => node(part.properties)))
  // `required` of a parameter is a boolean.
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

const target = (document: Node, reference: string): Node =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Node>((at, name) => node(at[name]), document)
