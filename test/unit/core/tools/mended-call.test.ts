/** Calls of models as they were plainly meant, and refusals that say more the second time. */

import { describe, expect, it } from 'vitest'
import type { Pin, Route } from '../../../../src/core/run/log/pin.ts'
import { planCalls } from '../../../../src/core/tools/plan.ts'
import { mendedCall } from '../../../../src/core/tools/repair-call.ts'
import { exampleOf } from '../../../../src/core/tools/schema-example.ts'

const PROPERTIES = {
  tags: { type: 'array', items: { type: 'string' } },
  range: { $ref: '#/$defs/range' },
  limit: { type: 'integer', minimum: 1 },
  deep: { type: 'boolean' },
  name: { type: 'string' },
  either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  any: {},
  level: { enum: [1, 2] },
}
const SCHEMA = {
  type: 'object',
  properties: PROPERTIES,
  additionalProperties: false,
  $defs: {
    range: { type: 'object', properties: { from: { type: 'number' }, to: { type: 'number' } } },
  },
}
const mcp = (server: string, tool: string): Route => ({ kind: 'mcp', server, tool, mode: 'once' })

function pinOf(routes: Readonly<Record<string, Route>>, input_schema: object = SCHEMA): Pin {
  const tools = Object.keys(routes).map((name) => ({ name, description: '', input_schema }))
  return { tools, routes } as unknown as Pin
}
const PIN = pinOf({ mcp__docs__find: mcp('docs', 'find') })
const TOOL = 'mcp__docs__find'
const taken = (given: unknown, pin = PIN) =>
  mendedCall(pin, {
    tool: TOOL,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  })

describe('repaired arguments', () => {
  it.each([
    ['a list as text', { tags: '["a","b"]' }, { tags: ['a', 'b'] }],
    ['an object as text', { range: '{"from": 1}' }, { range: { from: 1 } }],
    ['a number as text', { limit: '5' }, { limit: 5 }],
    ['a number as text within', { range: { from: '1.5', to: 2 } }, { range: { from: 1.5, to: 2 } }],
    ['an object as text with a number as text', { range: '{"to":"2"}' }, { range: { to: 2 } }],
    ['a boolean as text', { deep: 'True' }, { deep: true }],
    ['null for an optional member', { limit: null, name: 'x' }, { name: 'x' }],
    ['null within', { range: { from: null, to: 1 } }, { range: { to: 1 } }],
    ['a number where null may be', { either: '3' }, { either: 3 }],
    ['a number of must be a list', { level: '2' }, { level: 2 }],
    ['no arguments, as an empty text', '""', {}],
    ['no arguments, as null', 'null', {}],
    ['no arguments, as a list', '[]', {}],
    ['all of them as text', JSON.stringify('{"limit": 5}'), { limit: 5 }],
    ['a number as a text', { name: 5 }, { name: '5' }],
    ['a boolean as a text', { name: true }, { name: 'true' }],
    ['a raw line break', '{"name":"a\nb"}', { name: 'a\nb' }],
    ['a comma too many', '{"tags":["a",],}', { tags: ['a'] }],
    ['a fence', '```json\n{"limit":5}\n```', { limit: 5 }],
    ['an empty object before them', '{}{"limit":5}', { limit: 5 }],
    ['a tag behind them', '{"limit":5}</tool_call>', { limit: 5 }],
    ['half a character as an escape', '{"name":"a\\ud83d"}', { name: 'a\ufffd' }],
    [
      'half a character beside another change',
      '{"name":"\\udc00","limit":"5"}',
      { name: '\ufffd', limit: 5 },
    ],
  ])('%s are converted to the schema’s type', (_, given, meant) => {
    const { arguments: text, mended } = taken(given)
    expect(JSON.parse(text)).toEqual(meant)
    expect(mended).toBeTypeOf('string')
    const [plan] = planCalls([{ id: 'call_1', tool: TOOL, arguments: text, mended }], CONTEXT)
    expect(plan).toMatchObject({ mode: 'once', mended })
  })

  it.each([
    ['that fit', { tags: ['["a"]'], name: '5', either: null, any: '[1]', limit: 1 }],
    ['without text', ''],
    ['that are no JSON', '{"tags": ['],
    ['whose text is no list', { tags: 'a, b' }],
    ['whose number is none', { limit: '5 apples' }],
    ['whose number has too many digits', { limit: '9007199254740993' }],
    ['whose number the schema refuses', { limit: '0' }],
    ['with a null of its own', { either: null }],
    ['with an unknown member', { limit: '5', surprise: 1 }],
    ['with a name that no object may have', '{"__proto__": {}, "limit": "5"}'],
  ])('%s stay unchanged', (_, given) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    expect(taken(given)).toMatchObject({ tool: TOOL, arguments: text })
    expect(taken(given).mended).toBeUndefined()
  })

  it('are found in bounded time for any schema', () => {
    const circle = { allOf: [{ $ref: '#' }, { $ref: '#' }], properties: { n: { type: 'integer' } } }
    const pin = pinOf(PIN.routes, { ...circle, required: ['x'] })
    expect(taken({ n: '5' }, pin).mended).toBeUndefined()
  })
})

describe('repaired tool names', () => {
  const pin = pinOf({
    mcp__docs__find: mcp('docs', 'find'),
    mcp__docs__get_page: mcp('docs', 'get-page'),
    mcp__wiki__find: mcp('wiki', 'find'),
    file_read: { kind: 'builtin', tool: 'file_read', mode: 'repeatable' },
  })
  it.each([
    ['get-page', 'mcp__docs__get_page'],
    ['get_page', 'mcp__docs__get_page'],
    ['mcp__get_page', 'mcp__docs__get_page'],
    ['docs__find', 'mcp__docs__find'],
    ['docs.find', 'mcp__docs__find'],
    ['functions.file_read', 'file_read'],
    ['file_read:0', 'file_read'],
    ['FileRead', 'file_read'],
    ['file_read<|channel|>commentary', 'file_read'],
    ['wiki/find', 'mcp__wiki__find'],
    ['mcp_wiki_find', 'mcp__wiki__find'],
  ])('a name without its full server prefix is resolved: %s', (tool, name) => {
    const call = mendedCall(pin, { tool, arguments: '{}' })
    expect(call).toMatchObject({ tool: name, mended: `${tool} means ${name}` })
  })

  it.each([
    'find',
    'mcp__docs__find',
    'mcp__DOCS__find',
    'Docs.find',
    'file_read',
    'read',
    '__',
    'toString',
  ])('a name with several matches, an exact match, or no match is unchanged: %s', (tool) => {
    const call = mendedCall(pin, { tool, arguments: '{}' })
    expect([call.tool, call.mended]).toEqual([tool, undefined])
  })
})

const CONTEXT = { pin: PIN, mayNest: false, childrenLeft: 0 }

describe('a refused call', () => {
  const call = { id: 'call_1', tool: TOOL, arguments: '{"limit":0}' }
  const refusalOf = (context: object, calls = [call]) =>
    planCalls(calls, { ...CONTEXT, ...context }).map(({ refusal }) => refusal ?? '')

  it('shows the schema and an example when the same refusal repeats', () => {
    const [first = ''] = refusalOf({})
    expect(first).toBe('invalid_arguments: #/limit: it must be at least 1')
    const [second = ''] = refusalOf({ refusedBefore: () => true })
    expect(second).toContain(first)
    expect(second).toContain(JSON.stringify(SCHEMA))
    expect(second).toMatch(/Valid arguments: \{.+\}\n/)
  })

  it('of an unknown tool lists the tools the second time', () => {
    const calls = [{ ...call, tool: 'nowhere' }]
    const [second = ''] = refusalOf({ refusedBefore: () => true }, calls)
    expect(second).toContain(`The tools are: ${TOOL}.`)
  })

  it('is explained for only a few calls of an answer', () => {
    const calls = Array.from({ length: 100 }, (_, index) => ({ ...call, id: `call_${index}` }))
    const all = refusalOf({ refusedBefore: () => true }, calls)
    expect(all.filter((text) => text.includes('The schema of'))).toHaveLength(4)
  })

  it.each([
    [SCHEMA, { tags: ['text'] }],
    [{ type: 'object', required: ['q'], properties: { q: { type: 'string' } } }, { q: 'text' }],
    [{ type: 'object', required: ['n'], properties: { n: { enum: ['a', 'b'] } } }, { n: 'a' }],
    [
      {
        required: ['r'],
        properties: { r: { $ref: '#/$defs/r' } },
        $defs: { r: { type: 'number' } },
      },
      { r: 1 },
    ],
    [{ type: 'object', required: ['x'], properties: { x: { pattern: '^z$' } } }, undefined],
  ])('has an example that fits, or no example: %j', (schema, example) => {
    expect(exampleOf(schema)).toEqual(example)
  })
})
