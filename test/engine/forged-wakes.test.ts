/** H17 a queue message is an address and nothing more: a forged one moves nobody's run. */

import { expect, it } from 'vitest'
import { dispatch } from '../../src/engine/dispatch.ts'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import { lanes } from '../../src/hosts/node/queue.ts'
import { wakeOf } from '../../src/hosts/shared/wake.ts'
import type { LogEntry, Store } from '../../src/ports/world.ts'
import { BANK, bank, OPEN, setPolicy } from '../support/approvals.ts'
import { putFiles, settle, TENANT } from '../support/drive.ts'
import { forgedPartitions, forgedWakes, GARBAGE } from '../support/forged-wakes.ts'
import { type TestApi, testApi } from '../support/http.ts'

const OTHER = 'stranger'

/** A store that knows the names of all partitions that were ever written. */
function naming(): { store: Store; names: Set<string> } {
  const store = memoryStore()
  const names = new Set<string>()
  return {
    names,
    store: {
      ...store,
      commit: (partition, writes, head) => {
        names.add(partition)
        return store.commit(partition, writes, head)
      },
    },
  }
}

/** Each tenant has a run that waits for a person. */
async function world() {
  const { store, names } = naming()
  const log: LogEntry[] = []
  const written = { write: (entry: LogEntry) => void log.push(entry) }
  const api = await testApi({ store, tools: bank().tools, web: OPEN, log: written })
  await putFiles(api.world, { 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const { key } = await createKey(api.world, OTHER, ['*'])
  const input = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  const waiting = async (by: string) => {
    const { body } = await api.call('POST', '/v1/runs', { key: by, json: { input } })
    await settle(api.world)
    return body.id as string
  }
  const ours = await waiting(api.key)
  const theirs = await waiting(key)
  const rows = async () =>
    Promise.all([...names].map(async (name) => [name, await store.read(name)] as const))
  return { api, log, ours, theirs, rows }
}

const forged = (ours: string, theirs: string) =>
  forgedWakes([
    ...forgedPartitions(TENANT, OTHER, theirs).filter((one) => one !== `${OTHER}/run/${theirs}`),
    ...forgedPartitions(OTHER, TENANT, ours).filter((one) => one !== `${TENANT}/run/${ours}`),
  ])

async function untouched(api: TestApi, act: () => Promise<void>, rows: () => Promise<unknown>) {
  const before = await rows()
  await act()
  expect(await rows()).toEqual(before)
  expect(api.world.queue.take()).toEqual([])
}

it('H17 no row of any tenant changes, whichever partition a message names', async () => {
  const { api, log, ours, theirs, rows } = await world()
  await untouched(
    api,
    async () => {
      for (const wake of forged(ours, theirs)) {
        // An address that cannot be one is our own assertion, which the host logs.
        await dispatch(api.world, wake).catch((error: Error) =>
          expect(error.message).toContain('a partition has three parts'),
        )
      }
    },
    rows,
  )
  const unknown = log.filter(({ event }) => event === 'wake.unknown')
  expect(unknown.map(({ partition }) => partition)).toEqual(
    expect.arrayContaining([`${TENANT}/audit/${theirs}`, `${TENANT}/__proto__/${theirs}`]),
  )
})

it('H17 the lanes of a process take each message, and let go of it', async () => {
  const { api, ours, theirs, rows } = await world()
  const failed: string[] = []
  const queue = lanes({
    widths: { main: 4, subagent: 4, background: 4 },
    handle: (wake) => dispatch(api.world, wake),
    onError: (_, wake) => failed.push(wake.partition),
  })
  await untouched(
    api,
    async () => {
      await queue.send(forged(ours, theirs))
      await queue.idle()
    },
    rows,
  )
  expect(failed).toContain(`run/${theirs}`)
  expect(queue.load().main).toMatchObject({ waiting: 0, handled: 0 })
  expect(await queue.stop(1_000)).toBe(true)
})

it('H17 a forged message about a real run is a look at it, which finds what it was', async () => {
  const { api, theirs, rows } = await world()
  const real = forgedWakes([`${OTHER}/run/${theirs}`])
  const facts = async () =>
    (await rows()).map(([name, its]) => [name, its.filter(({ key }) => key !== 'head')])
  const before = await facts()
  for (const wake of real) await dispatch(api.world, wake)
  await settle(api.world)
  expect(await facts()).toEqual(before)
})

it('H17 garbage is no wake', () => {
  for (const body of GARBAGE) expect(wakeOf(body), body.slice(0, 60)).toBeUndefined()
})
