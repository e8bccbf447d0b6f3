/** Sealing of the audit: by a pass, by who reads it, over pages, beside others, and its end. */

import { describe, expect, it } from 'vitest'
import { chainVerifier, type ExportLine } from '../../src/core/audit-chain.ts'
import { PAGE_LINKS, readPage, readTip } from '../../src/engine/audit/pages.ts'
import { exportLines } from '../../src/engine/audit/read.ts'
import { seal, sendSeals } from '../../src/engine/audit/seal.ts'
import { dispatch } from '../../src/engine/dispatch.ts'
import { auditList } from '../../src/engine/partition/keys.ts'
import { audit } from '../../src/engine/tenant/audit.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import type { Store, World } from '../../src/ports/world.ts'
import { TENANT, testWorld } from '../support/drive.ts'

const write = (world: World, name: string) =>
  audit(world, TENANT, { kind: 'file', name, action: 'put', by: 'system', number: 0 })

async function exported(world: World): Promise<ExportLine[]> {
  const lines: ExportLine[] = []
  for await (const line of exportLines(world, TENANT)) lines.push(line)
  return lines
}
function verified(lines: readonly ExportLine[]) {
  const verifier = chainVerifier()
  for (const line of lines) expect(verifier.line(line)).toBeUndefined()
  return verifier.end()
}

describe('an entry', () => {
  it('is sealed by the pass that its writer sends, within seconds, and nothing is due after', async () => {
    const world = testWorld()
    await write(world, 'a')
    await write(world, 'b')
    await sendSeals(world)
    world.clock.advance(6_000)
    const [wake] = world.queue.take()
    expect(wake).toMatchObject({ partition: `${TENANT}/chain/p00000000` })
    await dispatch(world, wake!)
    const tip = await readTip(world, TENANT)
    expect(tip?.head).toMatchObject({ seq: 2, wake_at: null })
    expect((await world.store.due(Number.MAX_SAFE_INTEGER)).entries).toEqual([])
  })

  it('is sealed by the tick when that wake was lost', async () => {
    const world = testWorld()
    await write(world, 'a')
    await sendSeals(world)
    world.clock.advance(60_000)
    expect(world.queue.take()).toHaveLength(1)
    await tick(world)
    for (const wake of world.queue.take()) await dispatch(world, wake)
    expect((await readTip(world, TENANT))?.head).toMatchObject({ seq: 1, wake_at: null })
  })

  it('is sealed once by many at the same time', async () => {
    const world = testWorld()
    for (let count = 0; count < 120; count += 1) await write(world, `file ${count}`)
    await Promise.all([1, 2, 3, 4].map(() => seal(world, TENANT)))
    await seal(world, TENANT)
    const lines = await exported(world)
    expect(verified(lines)).toMatchObject({ links: 120, unsealed: 0, rowless: 0 })
  })

  it('is sealed once where another pass seals it between two reads of the first', async () => {
    const world = testWorld()
    await write(world, 'first')
    await seal(world, TENANT)
    await write(world, 'second')
    let others = 0
    const find: Store['find'] = async (...of) => {
      others += 1
      if (others === 1) expect(await seal(world, TENANT)).toBe(true)
      return world.store.find(...of)
    }
    const store = Object.assign(Object.create(world.store) as Store, { find })
    expect(await seal({ ...world, store }, TENANT)).toBe(true)
    expect(others).toBeGreaterThan(1)
    expect(verified(await exported(world))).toMatchObject({ links: 2, unsealed: 0, rowless: 0 })
  })

  it('that a list shows late is sealed late, and one from long ago never', async () => {
    const world = testWorld()
    await write(world, 'now')
    await seal(world, TENANT)
    const [row] = await world.store.list(auditList(TENANT))
    const plant = async (version: string, created_at: string) => {
      const body = JSON.stringify({ ...JSON.parse(row!.body), version, created_at })
      const listed = { under: auditList(TENANT), at: `${created_at} ${version}` }
      const key = `a/${version}`
      await world.store.commit(`${TENANT}/audit/${version}`, [
        { op: 'put', key, body, expect: 'absent', listed },
      ])
    }
    const ago = (ms: number) => new Date(world.clock.now() - ms).toISOString()
    await plant('ver_late', ago(60_000))
    await seal(world, TENANT)
    expect(verified(await exported(world))).toMatchObject({ links: 2 })
    await plant('ver_old', ago(3_600_000))
    await seal(world, TENANT)
    const verifier = chainVerifier()
    const broken = (await exported(world)).map((line) => verifier.line(line)).filter(Boolean)
    expect(broken).toEqual([expect.stringContaining('ver_old: its row was never sealed')])
  })

  it('sends no pass while one is due, and none where nothing was written', async () => {
    const world = testWorld()
    await sendSeals(world)
    world.clock.advance(6_000)
    expect(world.queue.take()).toEqual([])
    await write(world, 'a')
    await sendSeals(world)
    await write(world, 'b')
    await sendSeals(world)
    world.clock.advance(6_000)
    expect(world.queue.take()).toHaveLength(1)
  })
})

describe('pages', () => {
  it('go when their time is over, with their rows; the chain is verified from their end', async () => {
    const DAY = 86_400_000
    const world = testWorld({ settings: { auditRetentionMs: 10 * DAY } })
    const fill = async (count: number) => {
      for (let at = 0; at < count; at += 1) await write(world, `file ${at}`)
      await seal(world, TENANT)
    }
    await fill(PAGE_LINKS + 10)
    world.clock.advance(11 * DAY)
    await fill(20)
    const anchor = (await readPage(world, TENANT, 1)).head?.start
    const lines = await exported(world)
    expect(verified(lines)).toMatchObject({
      ...{ links: 30, rowless: 0, anchor: { seq: PAGE_LINKS, hash: anchor?.hash } },
    })
    const rows = lines.filter(({ object }) => object === 'audit_row')
    expect(rows).toHaveLength(30)
    expect((await readPage(world, TENANT, 0)).links).toEqual([])
  })
})
