/** `content_search` as users of Grep know it, and what it says when it cannot. */

import { describe, expect, it } from 'vitest'
import { contentSearch } from '../../../../src/core/tools/builtin/content-search.ts'
import { givenOf } from '../../../../src/core/tools/builtin-arguments.ts'
import { planCalls } from '../../../../src/core/tools/plan.ts'
import { builtin } from '../../../../src/engine/tools/index.ts'
import type { World } from '../../../../src/ports/world.ts'
import { putFiles, TENANT, testWorld } from '../../../support/drive.ts'
import { measured } from '../../../support/measured.ts'

const PIN = {
  tools: [contentSearch],
  routes: { content_search: { kind: 'builtin', tool: 'content_search', mode: 'repeatable' } },
} as never

const FILES = {
  'repos/a/src/a.ts': 'import x\nfunction one() {\n  return 1\n}\nfunction two() {}\n',
  'repos/a/src/deep/b.ts': 'const f = "Function"\n',
  'repos/a/readme.md': 'function of the house\nlast line',
  'repos/b/other.ts': 'function elsewhere() {}',
}

async function folder(files: Record<string, string> = FILES): Promise<World> {
  const world = testWorld()
  await putFiles(world, files)
  return world
}

const ask = (world: World, given: Record<string, unknown>) => {
  const place = { tenant: TENANT, root: 'repos/a/' }
  const ours = givenOf(PIN, 'content_search', given)
  return builtin({ world, tenant: TENANT, place } as never, 'content_search', ours, null)
}

const said = async (given: Record<string, unknown>, files?: Record<string, string>) =>
  (await ask(await folder(files), given)).text.split('\n')

describe('content_search', () => {
  it('matches a regular expression, in one folder, in files selected by a glob', async () => {
    expect(await said({ pattern: '^function \\w+\\(' })).toEqual([
      'src/a.ts:2: function one() {',
      'src/a.ts:5: function two() {}',
    ])
    expect(await said({ pattern: 'function', '-i': true, glob: '*.ts' })).toEqual([
      'src/a.ts:2: function one() {',
      'src/a.ts:5: function two() {}',
      'src/deep/b.ts:1: const f = "Function"',
    ])
    expect(await said({ pattern: 'function', path: 'src/deep', ignore_case: true })).toEqual([
      'src/deep/b.ts:1: const f = "Function"',
    ])
    expect(await said({ query: 'unction', path: './readme.md' })).toEqual([
      'readme.md:1: function of the house',
    ])
    expect(await said({ query: 'unction', glob: '!src/**' })).toEqual([
      'readme.md:1: function of the house',
    ])
    expect(await said({ query: 'x', path: 'none' })).toEqual(['not_found: "none" does not exist.'])
  })

  it('shows the lines around a match, each once', async () => {
    expect(await said({ pattern: 'one|two', '-A': 1, '-B': 1 })).toEqual([
      'src/a.ts-1- import x',
      'src/a.ts:2: function one() {',
      'src/a.ts-3-   return 1',
      'src/a.ts-4- }',
      'src/a.ts:5: function two() {}',
      'src/a.ts-6- ',
    ])
    expect(await said({ pattern: 'import|two', context: 1, line_numbers: false })).toEqual([
      'src/a.ts: import x',
      'src/a.ts- function one() {',
      '--',
      'src/a.ts- }',
      'src/a.ts: function two() {}',
      'src/a.ts- ',
    ])
  })

  it('returns paths or totals, and the next page from an offset', async () => {
    expect(await said({ pattern: 'function', output_mode: 'files_with_matches' })).toEqual([
      'readme.md',
      'src/a.ts',
    ])
    expect(await said({ pattern: 'function', output_mode: 'count' })).toEqual([
      'readme.md:1',
      'src/a.ts:2',
    ])
    expect(await said({ pattern: 'function', head_limit: 1 })).toEqual([
      'readme.md:1: function of the house',
      '[only 1 of 3 lines]',
      '[continue with offset 1]',
    ])
    expect(await said({ pattern: 'function', limit: 1, offset: 2 })).toEqual([
      'src/a.ts:5: function two() {}',
      '[only 1 of 3 lines]',
    ])
  })

  it('ignores case, accepts leading flags, and lets a dot match a carriage return', async () => {
    const files = { 'repos/a/a.txt': 'Ärger\r\nKELVIN\r\n' }
    expect(await said({ pattern: 'ärger|kelvin', ignore_case: true }, files)).toEqual([
      'a.txt:1: Ärger',
      'a.txt:2: KELVIN',
    ])
    expect(await said({ pattern: '(?i)^k.*$' }, files)).toEqual(['a.txt:2: KELVIN'])
    expect(await said({ pattern: '(?im)n.$' }, files)).toEqual(['a.txt:2: KELVIN'])
  })

  it('matches across lines on request', async () => {
    expect(await said({ pattern: 'one.*?return', path: 'src' })).toEqual(['Nothing found.'])
    expect(await said({ pattern: 'one.*?return', path: 'src', multiline: true })).toEqual([
      'src/a.ts:2: function one() {',
      'src/a.ts:3:   return 1',
    ])
    expect(await said({ pattern: '^}$', path: 'src', multiline: true })).toEqual(['src/a.ts:4: }'])
    // A match ends where a lazy repetition may end, and empty matches do not stop the search.
    expect(await said({ pattern: 'function.*?\\{|$', path: 'src', multiline: true })).toHaveLength(
      8,
    )
    expect(await said({ pattern: '\\(\\).*\\}', path: 'src', multiline: true })).toHaveLength(4)
  })

  it('names the error in an expression or in the arguments', async () => {
    const world = await folder()
    for (const [pattern, why] of [
      ['(a', 'missing closing `)`'],
      ['(?=a)b', '(?='],
      ['a\\1', 'backreferences are not supported'],
      ['\\Aa', 'unknown escape: `\\A`'],
      ['[[:alpha:]]', 'use \\p{L}'],
      ['(a{100}){100}', 'too many repetitions'],
      ['a'.repeat(1_001), 'more than 1000 characters'],
    ]) {
      const answer = await ask(world, { pattern })
      expect(answer.status).toBe('error')
      expect(answer.text).toMatch(/^invalid_pattern: /)
      expect(answer.text).toContain(why)
    }
    for (const given of [{}, { query: 'a', pattern: 'a' }, { glob: '*.ts' }]) {
      expect((await ask(world, given)).text).toMatch(/^invalid_arguments: pass either/)
    }
    const call = (given: object) =>
      planCalls([{ id: 'c', tool: 'content_search', arguments: JSON.stringify(given) }], {
        pin: PIN,
        mayNest: false,
        childrenLeft: 0,
      })[0]
    expect(call({ pattern: 'a', '-i': true, '-C': 2, head_limit: 5 })).toMatchObject({
      mode: 'repeatable',
    })
    expect(call({ pattern: 'a', '-C': 2, context: 3 })?.refusal).toContain('"-C"')
    expect(call({ pattern: 'a', context: 51 })?.refusal).toContain('50')
  })

  it('no expression is expensive, and skipped files are reported [A04]', async () => {
    let x = 7
    const line = Array.from({ length: 900_000 }, () => {
      x = (x * 1_103_515_245 + 12_345) & 0x7fffffff
      return 'ab'[(x >> 16) & 1]
    }).join('')
    const files = { 'repos/a/long.txt': `${line}\nab!\n` }
    const pattern = '([ab])*a[ab]{100}[^ab]|!'
    const isSearched = async (): Promise<void> => {
      expect(await said({ pattern }, files)).toEqual([
        'long.txt:2: ab!',
        '[long.txt: not fully searched; lines are too long for this expression]',
      ])
      expect(await said({ pattern, multiline: true }, files)).toEqual([
        'Nothing found.',
        '[long.txt: not fully searched; lines are too long for this expression]',
      ])
      expect(
        await said({ pattern: '(a+)+$' }, { 'repos/a/a.txt': `${'a'.repeat(900_000)}b` }),
      ).toEqual(['Nothing found.'])
    }
    await measured('three searches', isSearched, { cpuMs: 10_000 })
  })

  it('stops when its time is over, and reports it [A04]', async () => {
    const world = await folder(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`repos/a/f${i}.txt`, 'needle'])),
    )
    let now = 0
    const clock = { ...world.clock, monotonic: () => now, sleep: async () => {} }
    const get: World['objects']['get'] = async (key) => {
      now += 500
      return world.objects.get(key)
    }
    const objects = Object.assign(Object.create(world.objects), { get })
    const answer = await ask({ ...world, clock, objects }, { pattern: 'needle' })
    expect(answer.text).toContain('[stopped after 10 s: the search is incomplete]')
    expect(answer.text).toContain('f0.txt')
    expect(answer.text).not.toContain('f9.txt')
  })
})
