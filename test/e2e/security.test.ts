/** The list of security cases on the Node host, and where the other rows of it are tested. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ELSEWHERE } from '../contract/security/elsewhere.ts'
import { CASES, securityContract } from '../contract/security/index.ts'
import { launchServer } from '../support/launch.ts'
import { readAcceptance } from '../tools/acceptance.ts'

securityContract('Node', async (env, open) => ({ client: await launchServer({ env, open }) }))

describe('the list of security cases', () => {
  const rows = Object.entries(readAcceptance())
    .filter(([id, entry]) => /^[KMTJDUAHCSZ]\d\d$/.test(id) && !('left_out' in entry))
    .map(([id]) => id)

  it('has a request for each row, or the reason and the test of the row', () => {
    const requested = new Set<string>(CASES.map(([row]) => row))
    const missing = rows.filter((row) => !requested.has(row) && !(row in ELSEWHERE))
    const doubled = Object.keys(ELSEWHERE).filter((row) => requested.has(row))
    const unknown = [...requested, ...Object.keys(ELSEWHERE)].filter((row) => !rows.includes(row))
    expect({ missing, doubled, unknown }).toEqual({ missing: [], doubled: [], unknown: [] })
  })

  it('names for each other row an existing test that contains the row', () => {
    const wrong = Object.entries(ELSEWHERE).filter(
      ([row, { test }]) => !existsSync(test) || !readFileSync(test, 'utf8').includes(row),
    )
    expect(wrong).toEqual([])
  })
})
