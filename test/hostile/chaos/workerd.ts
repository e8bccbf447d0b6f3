/** The Worker as it is bundled, in workerd on this machine, whose runtime is killed. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { clientOf, type Open, temporaryFolder } from '../../support/launch.ts'
import { migrateLocally, SCRIPTED, startWorker } from '../../support/worker.ts'
import { killRuntime } from '../../support/workerd.ts'
import { persistently } from './ask.ts'
import type { Death, MortalHost } from './host.ts'
import { riddles } from './riddle.ts'

/** A deployed one's is a minute; nothing that is under way rests on it. */
const CLOCK_MS = 10_000
/** Longer than any answer takes: a connection to who was killed may stay open for ever. */
const ANSWER_MS = 60_000
const LOOK_MS = 20
const OBJECTS = 'v3/do/strata-PartitionObject'

export async function startWorkerdHost(
  env: Readonly<Record<string, string>>,
  open: Open,
): Promise<MortalHost> {
  const folder = await temporaryFolder(open)
  await migrateLocally(folder)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const vars = { ...SCRIPTED, STRATA_ADMIN_KEY: key, ...env }
  const worker = await startWorker(vars, folder, { clockMs: CLOCK_MS })
  open.push(worker.stop)
  const client = clientOf(worker.url, key)
  const deaths: Death[] = []
  let lost = 0
  const healthy = async (): Promise<void> => {
    for (;;) {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await client.ask('/healthz', { signal }).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.status === 200) return
      await sleep(LOOK_MS)
    }
  }
  await healthy()
  const miss = (): void => {
    lost += 1
  }
  return {
    server: () => client,
    deaths,
    lost: () => lost,
    // The runtime prints where this process does.
    printed: () => '',
    async kill() {
      const killed = await killRuntime()
      await healthy()
      deaths.push({ ...killed, answersAt: Date.now() })
    },
    ask: (path, init) => {
      const timely = () => ({ ...init, signal: AbortSignal.timeout(ANSWER_MS) })
      return persistently(() => client, miss, path, timely)
    },
    riddles: (ids) => riddles(filesIn(join(folder, OBJECTS)), ids),
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
        .map((name) => join(folder, name))
    : []
