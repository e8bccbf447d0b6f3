import { describe, expect, it } from 'vitest'
import { refusedWhenStrict } from '../../../../src/core/config/diagnostic.ts'
import { gateReason } from '../../../../src/core/config/skill/gating.ts'
import { parseSkill } from '../../../../src/core/config/skill/skill.ts'
import { encode } from '../../../../src/lib/bytes.ts'

const parse = (head: string, directory = 'deploy', body = 'Do it.\n') =>
  parseSkill(encode(`---\n${head}\n---\n${body}`), directory)
const codes = (head: string, directory = 'deploy') =>
  parse(head, directory).found.map((one) => one.code)
const BASE = 'name: deploy\ndescription: Deploys.'

describe('parseSkill', () => {
  it('reads allowed-tools as a list, split at commas or blanks, each once [SDK-01 SDK-04 SK-08]', () => {
    const tools = (value: string) => parse(`${BASE}\nallowed-tools: ${value}`).skill?.allowed_tools
    expect(tools('"a, b, a"')).toEqual(['a', 'b'])
    expect(tools('""')).toEqual([])
    expect(tools('Bash(jq:*) Bash(git:*)')).toEqual(['Bash(jq:*)', 'Bash(git:*)'])
    expect(tools('[Read, Grep]')).toEqual(['Read', 'Grep'])
    expect(tools('Bash(git log, git diff) Read')).toEqual(['Bash(git log, git diff)', 'Read'])
  })

  it('keeps a skill with nested metadata [SDK-07]', () => {
    expect(parse(`${BASE}\nmetadata: {a: {b: 1}}`).skill?.metadata).toEqual({ a: { b: 1 } })
    expect(parse(`${BASE}\nmetadata: text`).skill?.metadata).toEqual({})
  })

  it('warns of a name that differs from the directory’s after NFKC [SK-06 SK-10]', () => {
    expect(codes('name: b\ndescription: d', 'a')).toEqual(['name_not_directory'])
    expect(codes('name: cafe\u0301\ndescription: d', 'café')).toEqual([])
    expect(codes('name: 技能\ndescription: d', '技能')).toEqual([])
    expect(codes('name: НАВЫК\ndescription: d', 'НАВЫК')).toEqual(['name_not_kebab'])
  })

  it('ignores unknown fields, with a note [SK-07]', () => {
    expect(codes(`${BASE}\nunknown_field: x`)).toEqual(['unknown_keys'])
    expect(parse(`${BASE}\nunknown_field: x`).skill?.extra.unknown_field).toBe('x')
  })

  it('warns of lengths that strict refuses, and rejects a missing description [SK-11 SK-12]', () => {
    const strict = (head: string) => parse(head).found.some(refusedWhenStrict)
    expect(strict(`name: deploy\ndescription: ${'d'.repeat(1_024)}`)).toBe(false)
    expect(strict(`name: deploy\ndescription: ${'d'.repeat(1_100)}`)).toBe(true)
    expect(strict(`${BASE}\ncompatibility: ${'c'.repeat(500)}`)).toBe(false)
    expect(strict(`${BASE}\ncompatibility: ${'c'.repeat(550)}`)).toBe(true)
    expect(parse('name: deploy\ndescription: ""').skill).toBeNull()
  })

  it('names the description in the error, and accepts a BOM [GC-51 GC-52]', () => {
    expect(parse('name: deploy').found[0]?.message).toContain('description')
    expect(parseSkill(encode(`\uFEFF---\n${BASE}\n---\nx`), 'deploy').skill?.body).toBe('x')
  })

  it('refuses bytes that are not UTF-8 [T10]', () => {
    const bytes = new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe])
    expect(parseSkill(bytes, 'deploy').found[0]?.code).toBe('invalid_utf8')
  })
})

describe('gateReason', () => {
  const gate = {
    secrets: new Set(['TOKEN']),
    servers: new Set(['time']),
    config: new Map([['x', 'true']]),
  }
  const reason = (requires: object, more = {}) =>
    gateReason({ openclaw: { requires } }, { ...gate, ...more })

  it('returns null for a skill that requires nothing [MC-33]', () => {
    expect(gateReason({}, gate)).toBeNull()
    expect(reason({})).toBeNull()
    expect(gateReason({ openclaw: null, os: 3 }, gate)).toBeNull()
  })

  it('returns a reason for missing secrets and servers', () => {
    expect(reason({ env: ['TOKEN'], servers: ['time'] })).toBeNull()
    expect(reason({ env: ['OTHER'] })).toBe('requires the secret OTHER')
    expect(reason({ servers: ['figma'] })).toBe('requires the MCP server figma')
  })

  it('requires a configuration key to be set and true', () => {
    expect(reason({ config: ['x'] })).toBeNull()
    expect(reason({ config: ['y'] })).toBe('requires the configuration y')
    expect(reason({ config: ['x'] }, { config: new Map([['x', 'false']]) })).not.toBeNull()
  })

  it('checks programs only where the platform knows them [MC-34]', () => {
    expect(reason({ bins: ['a'] })).toBeNull()
    expect(reason({ bins: ['a'] }, { bins: new Set() })).toBe('requires the program a')
    expect(reason({ anyBins: ['a', 'b'] }, { bins: new Set(['b']) })).toBeNull()
  })

  it('checks the operating system only where the platform knows it', () => {
    const os = (systems: string[]) =>
      gateReason({ openclaw: { os: systems } }, { ...gate, os: 'linux' })
    expect([os([]), os(['linux']), os(['darwin'])]).toEqual([
      null,
      null,
      'requires the operating system darwin',
    ])
  })
})
