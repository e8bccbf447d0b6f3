import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../src/core/tools/plan.ts'
import { schemaError } from '../../../src/core/tools/schema.ts'
import { cpuMs } from '../../support/cpu.ts'

const withPattern = (pattern: string) => ({
  type: 'object',
  properties: { s: { type: 'string', pattern }, pattern: { type: 'integer' } },
})
const HOSTILE = `${'a'.repeat(60)}!`

describe('schemas of strangers', () => {
  it('A09 a hostile pattern takes no time: it is left out, the rest is checked', () => {
    const patterns = [
      '(a+)+$',
      '^(a|aa)+$',
      '(a*)*b',
      'a*a*a*a*a*b',
      '(\\w+\\s?)+$',
      '(a)\\1*\\1*b',
    ]
    for (const pattern of patterns) {
      const schema = withPattern(pattern)
      const look = () => expect(schemaError(schema, { s: HOSTILE }), pattern).toBeUndefined()
      expect(cpuMs(look), pattern).toBeLessThan(50)
      expect(schemaError(schema, { s: 1 }), pattern).toContain('#/s')
      expect(schemaError(schema, { pattern: 'x' }), pattern).toContain('#/pattern')
    }
  })

  it('A09 a long text is not tried against any pattern', () => {
    const long = { s: 'a'.repeat(200_000) }
    const look = () => expect(schemaError(withPattern('a*a*b'), long)).toBeUndefined()
    expect(cpuMs(look)).toBeLessThan(50)
  })

  it('A10 are checked where text cannot become code, as on Workers', async () => {
    const file = new URL('../../../src/core/tools/schema.ts', import.meta.url).href
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

  it('an ordinary pattern counts', () => {
    const schema = withPattern('^[a-z]{2,8}-\\d+$')
    expect(schemaError(schema, { s: 'ab-12' })).toBeUndefined()
    expect(schemaError(schema, { s: 'AB' })).toContain('#/s')
  })
})

describe('arguments', () => {
  it('A04 more than fits, or a thousand levels deep, is an error and nothing is called', () => {
    expect(parseArguments(`{"a":"${'x'.repeat(1_048_576)}"}`)).toMatch(
      /^invalid_arguments: more than/,
    )
    const deep = `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    expect(parseArguments(deep)).toBe('invalid_arguments: nested too deeply.')
    const bottomless = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(parseArguments(bottomless)).toMatch(/^invalid_arguments/)
  })
})
