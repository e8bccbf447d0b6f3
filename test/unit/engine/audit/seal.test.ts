import { describe, expect, it } from 'vitest'
import type { ExportLine } from '../../../../src/core/audit-chain.ts'
import { AuditVerifier } from '../../../../src/core/audit-verifier.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { DEFAULT_POLICY } from '../../../../src/core/policy.ts'
import { readPage, readTip, writePage } from '../../../../src/engine/audit/chain-pages.ts'
import { exportLines, readEntry } from '../../../../src/engine/audit/read.ts'
import { requestSeal, requestSeals } from '../../../../src/engine/audit/request-seal.ts'
import { seal } from '../../../../src/engine/audit/seal.ts'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { auditList, chainPage } from '../../../../src/engine/partition/keys.ts'
import { audit } from '../../../../src/engine/tenant/audit.ts'
import { writePolicy } from '../../../../src/engine/tenant/policy.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { HEAD, type Store, type World } from '../../../../src/ports/world.ts'
import { TENANT, testWorld } from '../../../support/drive.ts'

const DAY = 86_400_000
const PAGE_LINKS = LIMITS.audit_page_entries

const write = (world: World, name: string) =>
  audit(world, TENANT, { kind: 'file', name, action: 'put', by: 'system', number: 0 })

const changePolicy = (world: World) =>
  writePolicy(world, TENANT, { ...DEFAULT_POLICY, strict: true }, null, 'system')

async function exported(world: World): Promise<ExportLine[]> {
  const lines: ExportLine[] = []
  for await (const line of exportLines(world, TENANT)) lines.push(line)
  return lines
}
function verified(lines: readonly ExportLine[]) {
  const verifier = new AuditVerifier()
  for (const line of lines) expect(verifier.check(line)).toBeUndefined()
  return verifier.finish()
}

describe('an audit entry', () => {
  it('is sealed within seconds by a requested pass, after which none is due', async () => {
    const world = testWorld()
    await write(world, 'a')
    await write(world, 'b')
    await requestSeals(world)
    world.clock.advance(6_000)
    const [wake] = world.queue.take()
    expect(wake).toMatchObject({ partition: `${TENANT}/chain/p00000000` })
    await dispatch(world, wake!)
    const tip = await readTip(world, TENANT)
    expect(tip?.head).toMatchObject({ seq: 2, wake_at: null })
    expect((await world.store.due(Number.MAX_SAFE_INTEGER)).entries).toEqual([])
  })

  it('is sealed after a tick if the wake was lost', async () => {
    const world = testWorld()
    await write(world, 'a')
    await requestSeals(world)
    world.clock.advance(60_000)
    expect(world.queue.take()).toHaveLength(1)
    await tick(world)
    for (const wake of world.queue.take()) await dispatch(world, wake)
    expect((await readTip(world, TENANT))?.head).toMatchObject({ seq: 1, wake_at: null })
  })

  it('is sealed once by concurrent passes', async () => {
    const world = testWorld()
    for (let count = 0; count < 120; count += 1) await write(world, `file ${count}`)
    await Promise.all([1, 2, 3, 4].map(() => seal(world, TENANT)))
    await seal(world, TENANT)
    const lines = await exported(world)
    expect(verified(lines)).toMatchObject({ links: 120, unsealed: 0, without_row: 0 })
  })

  it('is sealed once if another pass seals it between two reads', async () => {
    const world = testWorld()
    await write(world, 'first')
    await seal(world, TENANT)
    await write(world, 'second')
    let calls = 0
    const find: Store['find'] = async (...query) => {
      calls += 1
      if (calls === 1) expect(await seal(world, TENANT)).toBe(true)
      return world.store.find(...query)
    }
    const store = Object.assign(Object.create(world.store) as Store, { find })
    expect(await seal({ ...world, store }, TENANT)).toBe(true)
    expect(calls).toBeGreaterThan(1)
    expect(verified(await exported(world))).toMatchObject({ links: 2, unsealed: 0 })
  })

  it('is read in slices among many, so that a pass does not block the thread', async () => {
    const world = testWorld()
    for (let index = 0; index < 250; index += 1) await write(world, `${index}`)
    let milliseconds = 0
    let pauses = 0
    const clock = {
      ...world.clock,
      now: () => world.clock.now(),
      monotonic: () => (milliseconds += 1),
      sleep: async () => void (pauses += 1),
    }
    expect(await seal({ ...world, clock }, TENANT)).toBe(true)
    expect(pauses).toBeGreaterThan(10)
  })

  it('is sealed late if the list lags, but not if it is older than the settling time', async () => {
    const world = testWorld()
    await write(world, 'now')
    await seal(world, TENANT)
    const [row] = await world.store.list(auditList(TENANT))
    const insert = async (version: string, created_at: string) => {
      const body = JSON.stringify({ ...JSON.parse(row!.body), version, created_at })
      const listed = { under: auditList(TENANT), at: `${created_at} ${version}` }
      const key = `a/${version}`
      await world.store.commit(`${TENANT}/audit/${version}`, [
        { op: 'put', key, body, expect: 'absent', listed },
      ])
    }
    const ago = (ms: number) => new Date(world.clock.now() - ms).toISOString()
    await insert('ver_late', ago(60_000))
    await seal(world, TENANT)
    expect(verified(await exported(world))).toMatchObject({ links: 2 })
    await insert('ver_old', ago(3_600_000))
    await seal(world, TENANT)
    const verifier = new AuditVerifier()
    const faults = (await exported(world)).map((line) => verifier.check(line)).filter(Boolean)
    expect(faults).toEqual(['The row ver_old is not in the chain, so it was inserted'])
  })

  it('requests no second pass while one is due, and none without new entries', async () => {
    const world = testWorld()
    expect(requestSeal(world, TENANT)).toBeUndefined()
    await write(world, 'a')
    await requestSeals(world)
    await write(world, 'b')
    await requestSeals(world)
    world.clock.advance(6_000)
    expect(world.queue.take()).toHaveLength(1)
  })

  it('can be read by its ID with its position, also if it is stored with its change', async () => {
    const world = testWorld()
    for (let count = 0; count < 2 * PAGE_LINKS + 10; count += 1) {
      await write(world, `file ${count}`)
      if (count === PAGE_LINKS) await changePolicy(world)
      world.clock.advance(10_000)
    }
    const links = (await exported(world)).filter(({ object }) => object === 'audit_link')
    expect(links).toHaveLength(2 * PAGE_LINKS + 11)
    for (const index of [0, PAGE_LINKS - 1, PAGE_LINKS, PAGE_LINKS + 1, links.length - 1]) {
      const { seq, hash, entry } = links[index] as Extract<ExportLine, { object: 'audit_link' }>
      const result = await readEntry(world, TENANT, String(entry.version))
      expect(result).toEqual({ entry, position: { seq, hash } })
    }
    expect(await readEntry(world, TENANT, 'ver_missing')).toBeUndefined()
  })
})

describe('retention of the audit log', () => {
  it('deletes expired pages with their rows, and moves the anchor', async () => {
    const world = testWorld({ settings: { auditRetentionMs: 10 * DAY } })
    const fill = async (count: number) => {
      for (let at = 0; at < count; at += 1) await write(world, `file ${at}`)
      await seal(world, TENANT)
    }
    await changePolicy(world)
    await fill(PAGE_LINKS + 9)
    world.clock.advance(11 * DAY)
    await fill(20)
    const [first] = (await readPage(world, TENANT, 0)).links
    const start = (await readPage(world, TENANT, 1)).head?.start
    const lines = await exported(world)
    expect(verified(lines)).toMatchObject({
      ...{ links: 30, without_row: 0, anchor: { seq: PAGE_LINKS, hash: start?.hash } },
    })
    expect(lines.filter(({ object }) => object === 'audit_row')).toHaveLength(30)
    expect((await readPage(world, TENANT, 0)).links).toEqual([])
    const tip = await readTip(world, TENANT)
    const stale = { ...tip!.head, floor: 0 }
    expect(await writePage(world, TENANT, { version: tip!.version, head: stale })).toBe(true)
    expect(verified(await exported(world))).toMatchObject({ links: 30 })
    expect((await readTip(world, TENANT))?.head.floor).toBe(1)
    expect(await readEntry(world, TENANT, String(first!.entry.version))).toBeUndefined()
  })

  it('deletes a page with a damaged link, and no row that is not an entry of the tenant', async () => {
    const world = testWorld({ settings: { auditRetentionMs: 10 * DAY } })
    for (let at = 0; at <= PAGE_LINKS; at += 1) await write(world, `file ${at}`)
    await seal(world, TENANT)
    const head = { expect: null, body: '{}' }
    const foreign = { partition: 'other/policy/tenant', key: HEAD }
    const own = { partition: `${TENANT}/policy/tenant`, key: HEAD }
    for (const { partition } of [foreign, own]) await world.store.commit(partition, [], head)
    const page = chainPage(TENANT, 0)
    const rows = await world.store.readIndexed!(page)
    const links = rows.filter(({ key }) => key.startsWith('l/')).slice(0, 3)
    const bodies = ['{', ...[foreign, own].map((row) => withRow(links[1]!.body, row))]
    const changed = links.map((link, index) => ({ ...link, body: bodies[index]! }))
    await world.store.writeIndexed!(page, changed)
    world.clock.advance(11 * DAY)
    await exported(world)
    expect(await world.store.read(page)).toEqual([])
    expect((await readTip(world, TENANT))?.head).toMatchObject({ floor: 1, page: 1 })
    for (const { partition } of [foreign, own])
      expect(await world.store.read(partition)).toHaveLength(1)
  })
})

const withRow = (link: string, row: object): string =>
  JSON.stringify({ ...(JSON.parse(link) as object), row })
