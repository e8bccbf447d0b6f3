/** Schemas that some vendor of models refuses together with the whole request. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { judgeTool } from '../../../../src/hosts/mcp/tool-judge.ts'

const text = { type: 'string' }
const judged = (inputSchema: unknown) =>
  judgeTool({ name: 'act', description: 'Acts.', inputSchema }, 1)
function mended(inputSchema: unknown) {
  const outcome = judged(inputSchema)
  if (!outcome.ok) throw new Error(outcome.error.message)
  const { tool, mends } = outcome.value
  return { schema: tool.input_schema, description: tool.description, mends }
}

describe('alternatives at the top level of a schema', () => {
  const content = { type: 'object', properties: { content: text }, required: ['content'] }
  const url = { type: 'object', properties: { url: text }, required: ['url'] }

  it.each([
    ['anyOf', 'at least one'],
    ['oneOf', 'exactly one'],
  ])(
    'in %s become properties, and those that every alternative requires are required',
    (keyword, count) => {
      const name = { properties: { name: text }, required: ['name'] }
      const { schema, description, mends } = mended({
        type: 'object',
        ...name,
        [keyword]: [content, { ...url, required: ['url', 'name'] }],
      })
      expect(schema).toEqual({
        type: 'object',
        properties: { name: text, content: text, url: text },
        required: ['name'],
      })
      expect(description).toBe(
        `Acts.\nThe arguments must match ${count} of these sets: (content) or (url, name).`,
      )
      expect(mends).toEqual([
        `"${keyword}" at the top of its inputSchema is interpreted as properties`,
      ])
    },
  )

  it('in allOf become properties, and all their required ones are required', () => {
    expect(mended({ allOf: [content, url] })).toMatchObject({
      schema: {
        type: 'object',
        properties: { content: text, url: text },
        required: ['content', 'url'],
      },
      description: 'Acts.',
    })
  })

  it('that only require members leave the properties unchanged', () => {
    const properties = { a: text, b: text }
    const sets = [{ required: ['a'] }, { required: ['b'] }]
    const { schema, description } = mended({ type: 'object', properties, anyOf: sets })
    expect(schema).toEqual({ type: 'object', properties })
    expect(description).toContain('(a) or (b)')
  })

  it('with a discriminator produce an enum of its values', () => {
    const of = (action: string, argument: string) => ({
      type: 'object',
      properties: { action: { type: 'string', const: action }, [argument]: text },
      required: ['action', argument],
      additionalProperties: false,
    })
    const { schema, description } = mended({ oneOf: [of('add', 'name'), of('remove', 'id')] })
    expect(schema).toEqual({
      type: 'object',
      properties: { action: { type: 'string', enum: ['add', 'remove'] }, name: text, id: text },
      required: ['action'],
      additionalProperties: false,
    })
    expect(description).toContain('(action="add", name) or (action="remove", id)')
  })

  it('with one argument of two types keep both types', () => {
    const of = (schema: object) => ({ properties: { id: schema } })
    expect(mended({ anyOf: [of(text), of({ type: 'integer' })] }).schema.properties).toEqual({
      id: { anyOf: [text, { type: 'integer' }] },
    })
    expect(mended({ allOf: [of(text), of({ minLength: 1 })] }).schema.properties).toEqual({
      id: { type: 'string', minLength: 1 },
    })
  })

  it('are resolved through references, which terminate', () => {
    const definitions = { either: { anyOf: [{ $ref: '#/definitions/c' }, url, {}] }, c: content }
    expect(mended({ $ref: '#/definitions/either', definitions }).schema).toEqual({
      type: 'object',
      definitions,
      properties: { content: text, url: text },
    })
    const circle = { properties: { a: text }, anyOf: [{ $ref: '#' }, { properties: { b: text } }] }
    expect(mended(circle).schema.properties).toEqual({ a: text, b: text })
  })

  it('that are not objects are ignored; a tool without any object alternative is omitted', () => {
    expect(mended({ anyOf: [content, { type: 'null' }] }).schema.required).toEqual(['content'])
    expect(judged({ anyOf: [text, { type: 'null' }] })).toMatchObject({
      ok: false,
      error: {
        tool: 'act',
        left_out: true,
        message: expect.stringContaining('no object satisfies'),
      },
    })
  })

  it('without end cause their tool to be omitted in bounded time', () => {
    const $defs: Record<string, object> = { a40: content }
    for (let nth = 0; nth < 40; nth += 1) {
      const $ref = `#/$defs/a${nth + 1}`
      $defs[`a${nth}`] = { anyOf: [{ $ref }, { $ref }] }
    }
    expect(judged({ $ref: '#/$defs/a0', $defs })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`${LIMITS.tool_schema_branches} alternatives`) },
    })
  })

  it('that a reference points into cause their tool to be omitted', () => {
    const properties = { again: { $ref: '#/anyOf/0/properties/content' } }
    expect(judged({ properties, anyOf: [content, url] })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('references its "anyOf"') },
    })
  })
})

it.each([
  ['enum', { enum: [{ a: 'x' }] }],
  ['not', { not: { required: ['b'] } }],
  ['if", "then', { if: { required: ['a'] }, then: { required: ['b'], properties: { b: text } } }],
])(
  '"%s" at the top level is removed, and the model reads that the server checks more',
  (names, keyword) => {
    const { schema, description, mends } = mended({
      type: 'object',
      properties: { a: text },
      ...keyword,
    })
    const b = 'then' in keyword ? { b: text } : {}
    expect(schema).toEqual({ type: 'object', properties: { a: text, ...b } })
    expect(description).toContain('also enforces constraints')
    expect(mends[0]).toContain(`"${names}" at the top`)
  },
)

it('draft 4 bounds become numbers at every level, and data is unchanged', () => {
  const old = { type: 'number', minimum: 0, exclusiveMinimum: true }
  const list = { type: 'array', items: [{ maximum: 9, exclusiveMaximum: true }] }
  const inclusive = { maximum: 5, exclusiveMaximum: false }
  const data = { const: { exclusiveMinimum: true } }
  const properties = { old, list, inclusive, data, exclusiveMinimum: true }
  const { schema, mends } = mended({ type: 'object', properties })
  expect(schema.properties).toEqual({
    old: { type: 'number', exclusiveMinimum: 0 },
    list: { type: 'array', items: [{ exclusiveMaximum: 9 }] },
    inclusive: { maximum: 5 },
    data,
    exclusiveMinimum: true,
  })
  expect(mends).toEqual(['its exclusive bounds are converted to numbers'])
})

it.each(['weird key!', 'filter[id]', 'größe', 'a'.repeat(65), ''])(
  'an argument named "%s" causes its tool to be omitted',
  (key) => {
    const message = expect.stringContaining('has a name that models do not accept')
    const error = { tool: 'act', left_out: true, message }
    expect(judged({ properties: { [key]: text } })).toMatchObject({ ok: false, error })
    expect(judged({ anyOf: [{ properties: { [key]: text } }] })).toMatchObject({ ok: false, error })
  },
)
