/**
 * Every requirement row says in a sentence what it guarantees and names its test, or says when it
 * comes or why it does not.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareNames, documentedIds, idsIn, readAcceptance, testedIds } from './tools/acceptance.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SHARED = resolve(ROOT, '../shared')
const rows = readAcceptance()

const SENTENCE_LENGTH = 120
const isSentence = (text: string | undefined): boolean =>
  text !== undefined && text.length <= SENTENCE_LENGTH && /^[A-Z].* .*\.$/u.test(text)

describe('acceptance.json', () => {
  it('finds IDs at the beginning, in the middle, and at the end of a name', () => {
    const text = `
      it('QQ-12, QX-01 a key is kept', () => {})
      it('a run ends once [Q22]', () => {})
      describe.each([['a', fn(1)]])('a \\'slot\\' that QR-19 skips', () => {})
      const table = { 'Q03 [Q08]': 'one', plain: 'no Q06 here' }
    `
    const expected = ['Q03', 'Q08', 'Q22', 'QQ-12', 'QR-19', 'QX-01']
    expect([...idsIn(text)].sort()).toEqual(expected)
  })

  it('names only existing tests whose names contain the ID', () => {
    const tested = testedIds()
    const wrong = Object.entries(rows).flatMap(([id, entry]) => {
      if (!('test' in entry)) return []
      const there = existsSync(join(ROOT, entry.test))
      return there && tested.has(id) && readFileSync(join(ROOT, entry.test), 'utf8').includes(id)
        ? []
        : [`${id} → ${entry.test}`]
    })
    expect(wrong).toEqual([])
  })

  it('states for every other row when it comes or why it was left out', () => {
    const bare = Object.entries(rows).filter(([, entry]) => {
      if ('open' in entry) return entry.open === '' || entry.open === 'unknown'
      return 'left_out' in entry ? entry.left_out === '' : false
    })
    expect(bare).toEqual([])
    const count = (kind: string): number =>
      Object.values(rows).filter((entry) => kind in entry).length
    console.log(
      `acceptance: ${count('test')} tested, ${count('open')} open, ${count('left_out')} left out`,
    )
  })

  it('describes the guarantee of each row in one short, unique sentence', () => {
    const wrong = Object.entries(rows).filter(([, entry]) => !isSentence(entry.says))
    expect(wrong).toEqual([])
    const sentences = Object.values(rows).map(({ says }) => says)
    expect(sentences.filter((one, index) => sentences.indexOf(one) < index)).toEqual([])
  })

  it('requires words beside the IDs in every test name', () => {
    expect(bareNames()).toEqual([])
  })

  it.skipIf(!existsSync(join(SHARED, 'acceptance.md')))('misses no documented row', () => {
    const missing = documentedIds(SHARED).filter((id) => !(id in rows))
    expect(missing).toEqual([])
  })
})
