/**
 * The runtime below a local Worker, as a process: wrangler starts one for its proxy, then one for
 * the Worker. When the latter dies, another is started on the same storage, and the proxy leads
 * there; who asks meanwhile waits, or is told 503 if the request cannot be repeated.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

interface Runtime {
  readonly pid: number
  /** Ticks since this machine started. */
  readonly since: number
}

const LONGEST_MS = 60_000
const LOOK_MS = 5

/** Kills the one that holds the Worker's objects; when, ms since 1970, and when it was gone. */
export async function killRuntime(): Promise<{ readonly at: number; readonly goneAt: number }> {
  const end = performance.now() + LONGEST_MS
  // The one before may have been killed a moment ago: its successor must be there.
  while (runtimes().length < 2) {
    if (performance.now() > end) throw new Error('no runtime has come back')
    await sleep(LOOK_MS)
  }
  const [{ pid } = { pid: 0 }] = runtimes().sort((one, two) => two.since - one.since)
  const at = Date.now()
  process.kill(pid, 'SIGKILL')
  while (runtimes().some((one) => one.pid === pid)) await sleep(LOOK_MS)
  return { at, goneAt: Date.now() }
}

/** Those that this process has started and that live. */
function runtimes(): Runtime[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, comm = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? []
      const fields = rest.split(' ')
      const [state, parent, since] = [fields[0], Number(fields[1]), Number(fields[19])]
      const isOurs = comm === 'workerd' && parent === process.pid && state !== 'Z'
      return isOurs ? [{ pid: Number(name), since }] : []
    } catch {
      // It ended while we looked.
      return []
    }
  })
}
