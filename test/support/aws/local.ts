/** Programs that stand for AWS on this machine: started, waited for, stopped by their own id. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Local {
  readonly url: string
  stop(): Promise<void>
}

/** No local server looks at them, but requests are signed all the same. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local-secret' }

const READY_MS = 180_000

/** Waits until `ready` answers true; fails with what the program printed when it ends before. */
export async function until(
  what: string,
  child: ChildProcess | undefined,
  ready: () => Promise<boolean>,
): Promise<void> {
  let output = ''
  child?.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  })
  const end = performance.now() + READY_MS
  while (performance.now() < end) {
    if (await ready().catch(() => false)) return
    if (child && child.exitCode !== null) break
    await sleep(100)
  }
  throw new Error(`${what} did not become ready:\n${output}`)
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(late)
}
