import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../../src/core/tools/plan.ts'
import { schemaError } from '../../../../src/core/tools/schema.ts'
import { cases } from '../../../support/full.ts'
import { INPUT_BOUND, MEASURED_RUNS, measured } from '../../../support/measured.ts'

const withPattern = (pattern: string) => ({
  type: 'object',
  properties: { s: { type: 'string', pattern }, pattern: { type: 'integer' } },
})
/** A schema of many keywords at once fits nothing: at most three of them, by what they hold. */
const sparse = (all: object): object => {
  const keys = Object.keys(all)
  const from = JSON.stringify(all).length
  return Object.fromEntries(
    Object.entries(all).filter(([, one], index) => {
      const at = (index + from) % keys.length
      return one !== undefined && at < 3
    }),
  )
}
const HOSTILE = `${'a'.repeat(60)}!`

describe('third-party schemas', () => {
  it('a hostile pattern is checked like any other, in linear time [A09]', () => {
    const patterns = ['(a+)+$', '^(a|aa)+$', '(a*)*b', 'a*a*a*a*a*b', '(\\w+\\s?)+$']
    for (const pattern of patterns) {
      const schema = withPattern(pattern)
      measured(
        pattern,
        () => expect(schemaError(schema, { s: HOSTILE })).toContain('#/s'),
        INPUT_BOUND,
      )
      expect(schemaError(schema, { s: 1 }), pattern).toContain('#/s')
      expect(schemaError(schema, { pattern: 'x' }), pattern).toContain('#/pattern')
    }
  })

  it('a pattern with backreferences or lookahead is skipped, and the rest is checked [A09]', () => {
    for (const pattern of ['(a)\\1*\\1*b', '^(?=b)b']) {
      const schema = withPattern(pattern)
      measured(
        pattern,
        () => expect(schemaError(schema, { s: HOSTILE })).toBeUndefined(),
        INPUT_BOUND,
      )
      expect(schemaError(schema, { s: 1 }), pattern).toContain('#/s')
    }
  })

  it('no schema at its bounds needs more than 50 ms for arguments at their bounds [A09]', () => {
    const names = (count: number, name: (i: number) => string, one: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), one]))
    const doubled = names(200, (i) => `a${i}`, {})
    for (let i = 0; i < 199; i += 1) {
      doubled[`a${i}`] = { anyOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] }
    }
    const long = 'a'.repeat(250_000)
    const many = names(20_000, (i) => `k${i}`, 1)
    const expensive: readonly [string, Record<string, unknown>, unknown][] = [
      ['long text', withPattern('(a*)*(a|aa)*b'), { s: long }],
      ['counted', withPattern('(a{1,30}){1,30}b'), { s: long }],
      ['4,000 patterns', { patternProperties: names(3_900, (i) => `^(x+)+${i}$`, {}) }, many],
      ['names', { propertyNames: { pattern: '^(k+)+x' } }, { [long]: 1 }],
      ['doubled', { $defs: doubled, $ref: '#/$defs/a0' }, { a: 1 }],
      ['unique', { uniqueItems: true }, Array.from({ length: 60_000 }, (_, i) => i)],
      [
        'unique deep',
        { items: { uniqueItems: true } },
        Array.from({ length: 99 }, () => Array.from({ length: 600 }, (_, i) => [i])),
      ],
      [
        'enum',
        { items: { enum: Array.from({ length: 3_900 }, (_, i) => `v${i}`) } },
        Array.from({ length: 60_000 }, (_, i) => i),
      ],
      [
        'enum of objects',
        { items: { enum: Array.from({ length: 1_900 }, (_, i) => [i]) } },
        Array.from({ length: 20_000 }, (_, i) => [i]),
      ],
      [
        'numbers',
        { items: { type: 'integer', multipleOf: 1e-308 } },
        Array.from({ length: 60_000 }, () => 1e308),
      ],
      [
        'format',
        withPattern('.').properties && { properties: { s: { format: 'url' } } },
        { s: `http://${'a'.repeat(60)}!` },
      ],
      [
        'required',
        { items: { required: Array.from({ length: 3_900 }, (_, i) => `v${i}`) } },
        Array.from({ length: 60_000 }, () => ({})),
      ],
      [
        'unevaluated',
        {
          allOf: Array.from({ length: 600 }, () => ({ properties: { a: {} } })),
          unevaluatedProperties: { type: 'number' },
        },
        many,
      ],
      ['lengths', { maxLength: 1_000_000 }, '😀'.repeat(60_000)],
    ]
    for (const [what, schema, value] of expensive) {
      schemaError(schema, value)
      const fresh = Array.from({ length: MEASURED_RUNS }, () => structuredClone(schema))
      measured(`${what}: prepared`, () => schemaError(fresh.pop()!, 1), INPUT_BOUND)
      measured(what, () => schemaError(schema, value), INPUT_BOUND)
    }
  })

  it('a recursive schema is checked as deep as the value [A09]', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } }
    expect(schemaError(tree, { kids: [{ kids: [] }] })).toBeUndefined()
    expect(schemaError(tree, { kids: [{ kids: [1] }] })).toContain('#/kids/0/kids/0')
    for (const circle of [
      { $ref: '#' },
      {
        allOf: [{ $ref: '#/$defs/a' }],
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
    ]) {
      measured('a circle', () => schemaError(structuredClone(circle), { a: 1 }), INPUT_BOUND)
    }
  })

  it('agree with another validator of the standard for any schema and value', () => {
    const leaf = fc.oneof(
      fc.integer({ min: -3, max: 9 }),
      fc.constantFrom('', 'a', 'ab', '1', 0.5, true, null),
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
      ),
    })).any
    const count = fc.nat(3)
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc
          .record(
            {
              type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null', [
                'string',
                'integer',
              ]),
              enum: fc.array(value, { minLength: 1, maxLength: 3 }),
              const: value,
              required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
              minLength: count,
              maxLength: count,
              minItems: count,
              maxItems: count,
              minProperties: count,
              maxProperties: count,
              minimum: count,
              exclusiveMaximum: count,
              multipleOf: fc.constantFrom(1, 2, 0.5),
              uniqueItems: fc.boolean(),
              pattern: fc.constantFrom('^a', 'b$', '^(a|b)+$', '\\d'),
              properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
              patternProperties: fc.dictionary(fc.constantFrom('^a', 'c$'), tie('schema'), {
                maxKeys: 2,
              }),
              additionalProperties: tie('schema'),
              propertyNames: tie('schema'),
              items: tie('schema'),
              prefixItems: fc.array(tie('schema'), { maxLength: 2, minLength: 1 }),
              contains: tie('schema'),
              allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
              anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
              oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
              not: tie('schema'),
              if: tie('schema'),
              then: tie('schema'),
              else: tie('schema'),
              dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(['c']), {
                maxKeys: 1,
              }),
              $ref: fc.constant('#/$defs/leaf'),
            },
            { requiredKeys: [] },
          )
          .map((all) => sparse(all)),
      ),
    }))
    fc.assert(
      fc.property(schema, value, (body, given) => {
        const whole = { $defs: { leaf: { type: ['integer', 'object', 'array'] } }, allOf: [body] }
        const theirs = new Validator(structuredClone(whole) as never, '2020-12', false).validate(
          given,
        ).valid
        expect(
          schemaError(whole as never, given) === undefined,
          JSON.stringify([whole, given]),
        ).toBe(theirs)
      }),
      { numRuns: cases(3_000) },
    )
  })

  it('are checked without code generation, as on Workers [A10]', async () => {
    const file = new URL('../../../../src/core/tools/schema.ts', import.meta.url).href
    const program = `
      import { schemaError } from ${JSON.stringify(file)}
      const schema = { type: 'object', properties: { s: { type: 'string', pattern: '^a+$' } } }
      let compiled = true
      try { new Function('return 1')() } catch { compiled = false }
      console.log(JSON.stringify([compiled, schemaError(schema, { s: 'b' }), schemaError(schema, { s: 'a' })]))`
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, flags)
    const [compiled, wrong, right] = JSON.parse(stdout)
    expect(compiled).toBe(false)
    expect(wrong).toContain('#/s')
    expect(right).toBeNull()
  })

  it('an ordinary pattern is enforced', () => {
    const schema = withPattern('^[a-z]{2,8}-\\d+$')
    expect(schemaError(schema, { s: 'ab-12' })).toBeUndefined()
    expect(schemaError(schema, { s: 'AB' })).toContain('#/s')
  })
})

describe('tool arguments', () => {
  it('too large, or a thousand levels deep, are an error, and no tool is called [A04]', () => {
    expect(parseArguments(`{"a":"${'x'.repeat(1_048_576)}"}`)).toMatch(
      /^invalid_arguments: more than/,
    )
    const deep = `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    expect(parseArguments(deep)).toMatch(/^invalid_arguments: .*nested deeper than 100/)
    expect(parseArguments('{"a":1,"a":2}')).toMatch(/^invalid_arguments: Duplicate member \/a/)
    const bottomless = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(parseArguments(bottomless)).toMatch(/^invalid_arguments/)
  })
})
