/**
 * Commands as a person types them: wrong use is refused in one sentence, and a batch that did not
 * run is not green.
 */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readCommand as readChaos } from '../hostile/chaos/main.ts'
import { WrongUse, whole } from '../support/options.ts'
import { readCommand as readSim } from './cli/main.ts'
import { noFigures, runShare, seedsFrom } from './cli/pool.ts'
import { RARE_STATES, wentWell } from './cli/report.ts'

interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

const run = (file: string, ...words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    execFile(process.execPath, [path, ...words], (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out, error }),
    )
  })

/** The sentence with which a command refuses its words. */
function refusalOf(read: (words: readonly string[]) => unknown, words: readonly string[]): string {
  try {
    read(words)
  } catch (error) {
    if (error instanceof WrongUse) return error.message
    throw error
  }
  return ''
}

describe('simulator commands', () => {
  it.each([
    [['--seeds', '0'], '--seeds is a whole number'],
    [['--seeds', 'abc'], '--seeds is a whole number'],
    [['--seeds=-5'], '--seeds is a whole number'],
    [['--seed', '9007199254740993'], '--seed is a whole number'],
    [['--jobs', '0'], '--jobs is a whole number'],
    [['--replay', 'abc'], '--replay is a whole number'],
    [['--replay', '1', '--plan', 'nosuch'], 'there is no plan "nosuch"'],
    [['--replay', '1', '--bug', 'nosuch'], 'there is no planted bug "nosuch"'],
    [['--planted', '--only', 'nosuch'], 'no planted bug has "nosuch"'],
    [['--pairs', '--minutes', 'abc'], '--minutes is a whole number'],
    [['--minutes', '3'], '--minutes does not go with --seeds'],
    [['--pairs', '--exhaustive'], 'do not go together'],
    [['--fault', 'nosuch:1:slow'], '--fault names one of'],
    [['--fault', 'webhook outage:x:slow'], 'the operation of --fault is a whole number'],
    [['--fault', 'webhook outage:1:sloow'], 'a fault is N:K'],
    [['--nosuch'], "Unknown option '--nosuch'"],
    [['5'], 'there is no place for "5"'],
  ])('refuse %j in one sentence', (words, why) => {
    const sentence = refusalOf(readSim, words)
    expect(sentence).toContain(why)
    expect(sentence.split('\n')).toHaveLength(1)
  })

  it.each([[['--kills', 'abc']], [['--kills', '0']], [['--seed', 'x']], [['5']]])(
    'refuse chaos %j in one sentence',
    (words) => {
      const sentence = refusalOf(readChaos, words)
      expect(sentence).not.toBe('')
      expect(sentence.split('\n')).toHaveLength(1)
    },
  )

  it('exit with 2 and name --help on wrong usage', async () => {
    for (const file of ['cli/main.ts', '../hostile/chaos/main.ts']) {
      const { code, out, error } = await run(file, '--seed', 'x')
      expect(error).toMatch(/^--seed is a whole number .*--help.*\n$/)
      expect([code, out]).toEqual([2, ''])
    }
    const late = await run('cli/main.ts', '--fault', 'webhook outage:999999:slow')
    expect(late.error).toMatch(/operation 999999 never comes.*--help.*\n$/)
    expect(late.code).toBe(2)
  })

  it('show their options with --help', async () => {
    for (const file of ['cli/main.ts', '../hostile/chaos/main.ts']) {
      const { code, out } = await run(file, '--help')
      expect(out).toContain('--seed')
      expect(code).toBe(0)
    }
  })

  it('accept only whole numbers in range', () => {
    expect(whole('n', '7', 1, 7)).toBe(7)
    for (const text of ['', ' 7', '7.0', '1e3', '0x7', '+7', '8', '0', '9'.repeat(30)]) {
      expect(() => whole('n', text, 1, 7), text).toThrow(WrongUse)
    }
  })
})

describe('the figures of many seeds', () => {
  const rare = Object.fromEntries(RARE_STATES.map((name) => [name, 1]))
  const all = { ...noFigures(), seeds: 2_000, rare }

  it('are green when everything requested ran and nothing was red', () => {
    const violation = { id: 'I1', message: '', at: 0 }
    expect(wentWell(all, 2_000)).toBe(true)
    expect(wentWell(all, 2_001)).toBe(false)
    expect(wentWell({ ...all, unequal: [1] }, 2_000)).toBe(false)
    expect(wentWell({ ...all, red: [{ seed: 1, violation }] }, 2_000)).toBe(false)
    expect(wentWell({ ...all, rare: {} }, 2_000)).toBe(false)
  })

  it('name the seed whose process no longer responds', async () => {
    const share = { twice: false, stopAtFirst: false, bug: undefined, plans: seedsFrom(1, 400) }
    const { seeds, red } = await runShare(share, -1)
    expect(red).toMatchObject([{ violation: { id: 'I18_nobodySpins' } }])
    expect(seeds).toBeLessThan(400)
  })
})
