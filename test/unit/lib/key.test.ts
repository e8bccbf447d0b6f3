import { describe, expect, it } from 'vitest'
import { fileKey, indexKey, keyPath, keyPrefix } from '../../../src/lib/key.ts'
import { agentName, roleName, serverName, skillName } from '../../../src/lib/name.ts'

const REFUSED: readonly [id: string, what: string, keys: readonly string[]][] = [
  ['K01', 'leaving the space', ['../B/secret']],
  ['K02', 'leaving it later', ['a/../../B/x']],
  ['K03', 'percent-encoded dots', ['a/%2e%2e/B']],
  ['K04', 'what a router decodes', ['../../B/x', '..%2f..%2fB/x']],
  ['K05', 'double encoding', ['%252e%252e%252fB']],
  ['K06', 'backslashes', ['a\\..\\b', 'a%5c..%5cb']],
  ['K07', 'full-width dots', ['．．／B']],
  ['K08', 'one-dot leaders', ['․․/B']],
  ['K09', 'segments that vanish', ['.', './a', 'a/./b']],
  ['K10', 'empty segments', ['a//b', '/a', 'a/']],
  ['K11', 'NUL', ['a\u0000b', '%00']],
  ['K12', 'a lone escape', ['%ff']],
  ['K13', 'a lone surrogate', ['\ud800', 'a/\udc00b']],
  ['K14', 'a form that is not NFC', ['e\u0301']],
  ['K16', 'a ligature', ['ﬁle.md']],
  ['K17', 'a bidi override', ['a\u202Eexe.md']],
  ['K18', 'invisible characters', ['a\u200Bb', 'a\u{E0041}b', 'a\uFEFFb', 'a\uE000b']],
  [
    'K19',
    'too long',
    ['a'.repeat(129), `${`${'a'.repeat(127)}/`.repeat(4)}a`, `${'a/'.repeat(16)}a`],
  ],
  ['K20', 'too many bytes of few characters', ['é'.repeat(300)]],
  ['K22', 'what an export would rename', ['a.', 'a ', ' a', 'a/b./c']],
  ['K33', 'a recursive wipe', ['', '/']],
]

describe('keyPath', () => {
  for (const [id, what, keys] of REFUSED) {
    it(`${id} refuses ${what}`, () => {
      for (const key of keys) expect([key, keyPath(key).ok]).toEqual([key, false])
    })
  }

  it('accepts names that only look special [K22 K23]', () => {
    for (const key of ['CON', '__proto__/SKILL.md', 'constructor', '.agents/skills/x/.disabled']) {
      expect(keyPath(key)).toEqual({ ok: true, value: key })
    }
  })

  it('accepts exactly the limits, measured in bytes [K19 K20]', () => {
    expect(keyPath('a'.repeat(128)).ok).toBe(true)
    expect(keyPath(`${'a'.repeat(127)}/`.repeat(3) + 'a'.repeat(128)).ok).toBe(true)
    expect(keyPath(Array(16).fill('a').join('/')).ok).toBe(true)
    expect(keyPath('é'.repeat(64)).ok).toBe(true)
    expect(keyPath('é'.repeat(65)).ok).toBe(false)
  })

  it('gives the reason', () => {
    expect(keyPath('a/../b')).toEqual({ ok: false, error: 'a segment consists only of dots' })
  })
})

describe('keyPrefix', () => {
  it('trims, and ends with one slash so that app never matches app2 [GC-06]', () => {
    expect(keyPrefix('  repos/app  ')).toEqual({ ok: true, value: 'repos/app/' })
    expect(keyPrefix('repos/app/')).toEqual({ ok: true, value: 'repos/app/' })
  })

  it('refuses every input that is no prefix of the tenant [K26]', () => {
    for (const text of ['/etc', 's3://other/', 'file:///', '../x', 'C:\\x', 'a//']) {
      expect([text, keyPrefix(text).ok]).toEqual([text, false])
    }
  })
})

describe('object locations in the bucket', () => {
  it("keep a tenant's files and derived data apart", () => {
    expect(fileKey('acme', 'base/x')).toBe('acme/files/base/x')
    expect(indexKey('acme', 'v1/x')).toBe('acme/index/v1/x')
  })
})

describe('validation of names', () => {
  it('a server name cannot forge the prefix of a tool [T21]', () => {
    for (const name of [
      'a__b',
      '__proto__',
      'a_',
      '_a',
      '-x',
      'a'.repeat(65),
      'sеrver',
      '',
      'a b',
    ]) {
      expect([name, serverName(name).ok]).toEqual([name, false])
    }
    for (const name of ['a', 'A-b_c', 'x1', 'a'.repeat(64)]) expect(serverName(name).ok).toBe(true)
  })

  it('the reason names the rule [GC-62]', () => {
    const named = serverName('-x')
    expect(named.ok ? '' : named.error).toContain('a-z A-Z 0-9 _ -')
  })

  it('skill names are lowercase words with single hyphens [SK-02 SK-03 SK-04 SK-09 GC-49 X-36]', () => {
    for (const name of ['MySkill', 'My_Skill', '-my-skill', 'my-skill-', 'my--skill', 'НАВЫК']) {
      expect([name, skillName(name).ok]).toEqual([name, false])
    }
    for (const name of ['a'.repeat(70), '..', '.disabled', ''])
      expect(skillName(name).ok).toBe(false)
    for (const name of ['my-skill', '技能', 'a'.repeat(64)]) expect(skillName(name).ok).toBe(true)
  })

  it('agent names follow the same rule, in ASCII [NC-32 NC-33]', () => {
    for (const name of ['github-issues', 'x', 'route-2']) expect(agentName(name).ok).toBe(true)
    const bad =
      '| |../secrets|foo/bar|foo\\bar|/tmp/evil|foo bar|foo_bar|foo..bar|-foo|foo-|foo--bar'
    for (const name of bad.split('|')) expect([name, agentName(name).ok]).toEqual([name, false])
  })

  it('a role is trimmed and lowercased, or absent', () => {
    expect(roleName(' FRONTEND ')).toBe('frontend')
    expect(roleName('')).toBeUndefined()
    expect(roleName('qa team')).toBeUndefined()
    expect(roleName('main/../backend')).toBeUndefined()
  })
})
