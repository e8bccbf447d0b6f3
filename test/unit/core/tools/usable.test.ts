import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaError } from '../../../../src/core/tools/schema.ts'
import { unusable, usable } from '../../../../src/core/tools/schema-lint.ts'
import { toolset } from '../../../../src/core/tools/toolset.ts'
import { cases } from '../../../support/full.ts'
import { INPUT_BOUND, measured } from '../../../support/measured.ts'

/** What a run offers of one tool of a server. */
function offered(input_schema: object) {
  const tool = {
    name: 'x',
    description: 'Does it.',
    input_schema: input_schema as never,
    repeatable: true,
  }
  const resolved = { skills: [], agents: [], servers: [] } as never
  const remote = new Map([['s', [tool]]])
  const allowed = ({ kind }: { kind: string }) => kind === 'mcp'
  const { tools } = toolset({ resolved, allowed, denied: () => false, remote, spawnable: null })
  return tools[0]!
}

const BROKEN: readonly [what: string, schema: object, pointer: string][] = [
  [
    'an invalid pattern',
    { properties: { a: { type: 'string', pattern: '(' } } },
    '/properties/a/pattern',
  ],
  [
    'a pattern only another engine knows',
    { properties: { a: { pattern: '\\Z' } } },
    '/properties/a/pattern',
  ],
  ['an unresolved $ref', { properties: { a: { $ref: '#/$defs/none' } } }, '/properties/a/$ref'],
  [
    'a $ref to elsewhere',
    { properties: { a: { $ref: 'https://evil.example/s' } } },
    '/properties/a/$ref',
  ],
  ['a $ref to an absent anchor', { properties: { a: { $ref: '#none' } } }, '/properties/a/$ref'],
  ['a $ref to itself', { $ref: '#' }, '/$ref'],
  [
    'a circle',
    {
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
    },
    '/$defs/b/$ref',
  ],
  ['a wrong required', { properties: { a: { required: true } } }, '/properties/a/required'],
  ['a wrong type', { properties: { a: { type: 'text' } } }, '/properties/a/type'],
  ['wrong properties', { properties: ['a'] }, '/properties'],
  ['a schema that is a text', { properties: { a: 'string' } }, '/properties/a'],
  ['a wrong enum', { properties: { a: { enum: 'x' } } }, '/properties/a/enum'],
  ['a wrong bound', { properties: { a: { minLength: '3' } } }, '/properties/a/minLength'],
  [
    'an invalid name pattern',
    { patternProperties: { '(': {} }, additionalProperties: false },
    '/patternProperties/(',
  ],
  ['wrong branches', { anyOf: {} }, '/anyOf'],
]

describe('schemas of MCP servers', () => {
  it('a broken keyword is removed alone: the tool stays, the rest is checked, and the model learns of it [A09]', () => {
    for (const [what, broken, pointer] of BROKEN) {
      const schema = { type: 'object', required: ['k'], ...broken }
      const { description, input_schema } = offered(schema)
      expect(description, what).toMatch(/^Does it\.\n\[Arguments are not validated/)
      expect(description, what).toContain(JSON.stringify(pointer))
      expect(schemaError(input_schema, { k: 1, a: 'x' }), what).toBeUndefined()
      expect(schemaError(input_schema, {}), what).toContain('property "k"')
      // What the vendor of the model is sent has nothing broken in it.
      expect(unusable(structuredClone(input_schema)), what).toBeUndefined()
    }
  })

  it('a pattern that cannot be checked in linear time is shown but not checked, and the model learns of it [A09]', () => {
    const schema = { type: 'object', properties: { a: { pattern: '^(?!x).*$' } } }
    const { description, input_schema } = offered(schema)
    expect(input_schema).toEqual(schema)
    expect(description).toContain('/properties/a/pattern')
    expect(schemaError(input_schema, { a: 'x' })).toBeUndefined()
  })

  it('a schema beyond the bounds leaves a tool with unchecked arguments [A09]', () => {
    let deep: object = {}
    for (let i = 0; i < 100_000; i += 1) deep = { items: deep }
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, {}])),
    }
    const long = { description: 'x'.repeat(140_000) }
    for (const schema of [deep, wide, long]) {
      measured('a schema beyond the bounds', () => usable({ ...schema }), INPUT_BOUND)
      const { description, input_schema } = offered(schema)
      expect(input_schema).toEqual({ type: 'object' })
      expect(description).toMatch(/not validated against the schema at "" \(/)
    }
  })

  it('names and texts that look like keywords stay unchanged [A07]', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"pattern":{"type":"string"},"required":{"type":"string"},"$ref":{"type":"string"},"__proto__":{"type":"integer"}},"examples":[{"type":"nonsense"}]}',
    )
    expect(unusable(schema)).toBeUndefined()
    expect(offered(schema)).toMatchObject({ description: 'Does it.' })
    expect(offered(schema).input_schema).toBe(schema)
    expect(schemaError(schema, JSON.parse('{"__proto__":"x"}'))).toContain('__proto__')
  })

  it('no schema of any content throws, and the repaired schema contains no broken keyword [A09]', () => {
    const words = fc.constantFrom(
      ...[
        'type',
        'properties',
        '$ref',
        'pattern',
        'allOf',
        'items',
        'required',
        'enum',
        'not',
        '$defs',
        'a',
        'if',
        'then',
      ],
      ...[
        'patternProperties',
        '$anchor',
        'dependentSchemas',
        'dependencies',
        'additionalProperties',
        'minimum',
        '$dynamicRef',
      ],
    )
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(
          '#',
          '#/a',
          '#/$defs/a',
          '#a',
          'string',
          'object',
          '(',
          'a+',
          1,
          -1,
          true,
          null,
          'a',
        ),
        fc.dictionary(words, tie('any'), { maxKeys: 4 }),
        fc.dictionary(words, tie('any'), { maxKeys: 4 }),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    }))
    const schema = fc.dictionary(words, any, { maxKeys: 6 })
    fc.assert(
      fc.property(schema, any, (given, value) => {
        const { root } = usable(given)
        schemaError(given, value)
        expect(unusable(structuredClone(root)), JSON.stringify(given)).toBeUndefined()
      }),
      { numRuns: cases(3_000) },
    )
  })
})
