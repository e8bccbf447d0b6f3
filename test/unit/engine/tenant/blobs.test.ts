/** Large texts that facts name by digest. */

import { expect, it } from 'vitest'
import { isRef } from '../../../../src/core/message.ts'
import { homeOfSession } from '../../../../src/engine/partition/home.ts'
import { spill } from '../../../../src/engine/tenant/blobs.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'

it('the preview of a large text ends with a complete character at any bound', async () => {
  const home = homeOfSession(TENANT, 'ses_x')
  const text = '水'.repeat(1_000)
  for (let most = 80; most < 120; most += 1) {
    const body = await spill(testWorld(), home, text, most)
    expect(isRef(body) && text.startsWith(body.preview), String(most)).toBe(true)
  }
})
