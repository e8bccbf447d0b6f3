/**
 * The words of the contract: everything that is named is described, every body has an example, and
 * each example is what it is an example of. Walked through the generated document, so that nothing
 * new can come without.
 */

import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withoutNulls } from '../../../../src/core/nulls.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { createApp } from '../../../../src/http/app.ts'
import { openapi } from '../../../../src/http/openapi/document.ts'
import type { Route } from '../../../../src/http/request/route.ts'

type Json = Readonly<Record<string, unknown>>
interface Words extends Json {
  readonly description?: string
}
interface Schema extends Words {
  readonly $ref?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
interface Operation extends Words {
  readonly summary?: string
  readonly parameters?: readonly (Schema & { readonly name: string })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Words & { readonly content?: Content }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
interface Document {
  readonly paths: Paths
  readonly webhooks?: Paths
  readonly tags: readonly (Words & { readonly name: string })[]
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

const { routes } = createApp(memoryWorld())
const document = openapi(routes) as unknown as Document
const { components } = document
const schemas = components.schemas!

const operations = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
)

/** Where schemas stand within a schema; what is data (`examples`, `default`) is none. */
const ONE = ['items', 'additionalProperties', 'not'] as const
const SEVERAL = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const

/** Every property below, with its place. */
function properties(schema: Schema, at: string): { at: string; name: string; one: Schema }[] {
  const below = (value: unknown, place: string) =>
    value !== null && typeof value === 'object' ? properties(value as Schema, place) : []
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [
      { at: `${at}.${name}`, name, one },
      ...below(one, `${at}.${name}`),
    ]),
    ...ONE.flatMap((key) => below(schema[key], `${at}[]`)),
    ...SEVERAL.flatMap((key) =>
      ((schema[key] ?? []) as Schema[]).flatMap((one) => below(one, `${at}|`)),
    ),
  ]
}

/** What a reference names: `#/components/<kind>/<name>`. */
function meant(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const [kind, name] = schema.$ref.split('/').slice(-2)
  return components[kind!]![name!]!
}

/** A description that says more than the name that it stands beside. */
function says(description: string | undefined, name: string): boolean {
  if (description === undefined || /\bundefined\b|\[object/.test(description)) return false
  const bare = (text: string) =>
    text.toLowerCase().replace(/\b(?:the|an?|its|of|this)\b|[^a-z0-9]/g, '')
  return bare(description).length > 3 && bare(description) !== bare(name)
}

/** Every JSON body of a request or of an answer that is no refusal. */
const bodies = operations.flatMap(({ at, operation }) => {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  const all: [string, Content | undefined][] = [
    [`${at} body`, operation.requestBody?.content],
    ...answers.map(([status, { content }]): [string, Content | undefined] => [
      `${at} ${status}`,
      content,
    ]),
  ]
  return all.flatMap(([place, content]) => {
    const body = content?.['application/json']
    return body === undefined ? [] : [{ at: place, schema: body.schema }]
  })
})

const faults = (schema: Schema, value: unknown): string[] => {
  const validator = new Validator({ ...schema, components }, '2020-12', false)
  return validator
    .validate(value)
    .errors.slice(-3)
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

describe('the descriptions of the contract', () => {
  it('cover every component', () => {
    const named = Object.entries(components).flatMap(([kind, all]) =>
      Object.entries(all).map(([name, one]) => ({ at: `${kind}/${name}`, name, one })),
    )
    const without = named.filter(({ name, one }) => !says(meant(one).description, name))
    expect(without.map(({ at }) => at)).toEqual([])
    expect(named.length).toBeGreaterThan(80)
  })

  it('cover every property of every schema, and add to its name', () => {
    const all = [
      ...Object.entries(schemas).flatMap(([name, one]) => properties(one, name)),
      ...bodies.flatMap(({ at, schema }) => (schema ? properties(schema, at) : [])),
    ]
    const without = all.filter(
      ({ name, one }) => !says(one.description ?? meant(one).description, name),
    )
    expect(without.map(({ at }) => at)).toEqual([])
    expect(all.length).toBeGreaterThan(1_000)
  })

  it('cover every operation, parameter, response, and tag', () => {
    const named = operations.flatMap(({ at, operation }) => [
      { at, name: '', words: operation.summary },
      ...(operation.parameters ?? []).map((parameter) => {
        const { name, description } = meant(parameter)
        return { at: `${at} ${name}`, name: String(name), words: description }
      }),
      ...Object.entries(operation.responses).map(([status, response]) => ({
        at: `${at} ${status}`,
        name: status,
        words: meant(response).description,
      })),
    ])
    const tags = document.tags.map(({ name, description }) => ({
      at: `tag ${name}`,
      name,
      words: description,
    }))
    const without = [...named, ...tags].filter(({ name, words }) => !says(words, name))
    expect(without.map(({ at }) => at)).toEqual([])
    expect(named.length).toBeGreaterThan(300)
  })
})

describe('the examples of the contract', () => {
  it('accompany every JSON body of a request and of a response', () => {
    const without = bodies.filter(
      ({ schema }) => schema === undefined || (meant(schema).examples ?? []).length === 0,
    )
    expect(without.map(({ at }) => at)).toEqual([])
    expect(bodies.length).toBeGreaterThan(100)
  })

  it('are valid against their own schemas', () => {
    const all = [
      ...Object.entries(schemas).map(([at, schema]) => ({ at, schema })),
      ...bodies.flatMap(({ at, schema }) => (schema ? [{ at, schema }] : [])),
    ]
    const wrong = all.flatMap(({ at, schema }) =>
      (schema.examples ?? []).flatMap((example, index) =>
        faults(schema, example).map((fault) => `${at} ${index} ${fault}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('are accepted by their routes as requests, and match the responses', () => {
    const checked = routes.flatMap(({ method, path, body, answers }: Route) => [
      ...examplesOf(body).map((example) => ({
        at: `${method} ${path}`,
        result: body!.safeParse(withoutNulls(body!, example)),
      })),
      ...Object.values(answers).flatMap(({ schema }) =>
        examplesOf(schema).map((example) => ({
          at: `${method} ${path} answer`,
          result: schema!.safeParse(example),
        })),
      ),
    ])
    const refused = checked.filter(({ result }) => !result.success)
    expect(refused.map(({ at, result }) => `${at}: ${result.error?.message}`)).toEqual([])
    expect(checked.length).toBeGreaterThan(120)
  })

  it('of problems show a missing resource and a refused request as the API returns them', () => {
    const codes = schemas.Problem!.examples!.map((one) => (one as Json).status)
    expect(codes).toEqual(expect.arrayContaining([404, 422]))
  })

  it('contain nothing that looks like a secret', () => {
    const shown = [...Object.values(schemas), ...bodies.map(({ schema }) => schema)]
      .flatMap((schema) => schema?.examples ?? [])
      .map((example) => JSON.stringify(example))
    const SECRET = /whsec_[A-Za-z0-9+/]|\b(?:sk-|ghp_|xox[bp]-|AKIA|eyJ)[-_A-Za-z0-9]{8}|Bearer \S/
    expect(shown.filter((text) => SECRET.test(text))).toEqual([])
    expect(SECRET.test('{"secret":"whsec_MfKQ9r8GKYqrTwjU"}')).toBe(true)
  })
})

const examplesOf = (schema: z.ZodType | undefined): readonly unknown[] =>
  (schema && (z.globalRegistry.get(schema)?.examples as readonly unknown[] | undefined)) ?? []
