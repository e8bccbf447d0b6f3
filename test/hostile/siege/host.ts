/** The server under siege: the real Node host, with a tenant that is good and hostile ones. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { masterKey } from '../../../src/hosts/node/secrets.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import type { World } from '../../../src/ports/world.ts'
import { launchServer, type Open, type Server, temporaryFolder } from '../../support/launch.ts'
import type { Attack } from './attack.ts'

export interface Keys {
  readonly good: string
  /** By the name of the attack. */
  readonly bad: Readonly<Record<string, string>>
}

/** A data folder in which the good client and the attacks have keys of different tenants. */
export async function folderOf(
  attacks: readonly Attack[],
  open: Open,
): Promise<{ dataDir: string; keys: Keys }> {
  const dataDir = await temporaryFolder(open)
  await masterKey(join(dataDir, 'master.key'))
  const store = await openSqlite(join(dataDir, 'strata.db'))
  const parts: Partial<World> = { clock: systemClock, store }
  const make = async (tenant: string) => (await createKey(parts as World, tenant, ['*'])).key
  const bad: Record<string, string> = {}
  const shared = await make('evil')
  for (const { name, apart } of attacks) bad[name] = apart ? await make(`evil-${name}`) : shared
  const keys = { good: await make('good'), bad }
  await store.close()
  return { dataDir, keys }
}

export const launch = (
  dataDir: string,
  key: string,
  env: Readonly<Record<string, string>>,
  open: Open,
): Promise<Server> => launchServer({ before: { dataDir, key }, env, open })

/** Resident memory in MB; 0 when the process is gone. */
export function residentMb(pid: number): number {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
    )
  } catch {
    return 0
  }
}

const TICKS_A_SECOND = 100

/** Seconds that the process has used of all processors. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

/** Seconds that its main thread was ready and had no processor: others had them. */
export const waitedSeconds = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9

/** What it uses of one processor over so long, in percent. */
export async function cpuPercent(pid: number, ms: number): Promise<number> {
  const before = cpuSeconds(pid)
  await sleep(ms)
  return ((cpuSeconds(pid) - before) / (ms / 1_000)) * 100
}

/** Processes that stdio servers of the siege have left behind, wherever they hang. */
export function leftBehind(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes('SIEGE_STDIO=1')
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Ends it by SIGTERM and says after how many ms it was gone; killed when it takes too long. */
export async function stopped({ process: { child } }: Server, patienceMs: number): Promise<number> {
  const began = performance.now()
  const gone = () => child.exitCode !== null || child.signalCode !== null
  child.kill('SIGTERM')
  while (!gone() && performance.now() - began < patienceMs) await sleep(20)
  const took = performance.now() - began
  if (!gone()) child.kill('SIGKILL')
  while (!gone()) await sleep(20)
  return took
}
