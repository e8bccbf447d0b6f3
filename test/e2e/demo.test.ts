/** The demo as a person starts it: what it prints last, and that nothing of it is left behind. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'

const MOST_MS = 15_000
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly lines: readonly string[]
  readonly ms: number
  /** What lies in the demo's temporary folder after its end. */
  readonly left: readonly string[]
  /** Whether a process that it started, or one started by those, still lives. */
  readonly orphans: boolean
}

/** Runs the demo in a process group of its own; `until` stops it as soon as a line matches. */
async function demo(until?: RegExp): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  folders.push(folder)
  const began = performance.now()
  const child = spawn(process.execPath, ['examples/demo.ts'], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let stopped = false
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (stopped || until === undefined || !until.test(output)) return
    stopped = true
    child.kill('SIGTERM')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines = output.trimEnd().split('\n')
  const ms = performance.now() - began
  return { code, lines, ms, left: readdirSync(folder), orphans: await groupLives(child.pid ?? 0) }
}

/** Looks for some seconds, since a killed process needs a moment to be gone. */
async function groupLives(group: number): Promise<boolean> {
  for (let look = 0; look < 200; look += 1) {
    try {
      process.kill(-group, 0)
    } catch {
      return false
    }
    await sleep(100)
  }
  return true
}

describe('npm run demo', () => {
  it('goes the whole road in 15 seconds, says so on its last line and leaves nothing', async () => {
    const took: number[] = []
    // A machine that is busy with something else just then has more tries.
    while (took.length < 3 && !took.some((ms) => ms < MOST_MS)) {
      const ended = await demo()
      expect(ended.lines.at(-1)).toMatch(
        /^demo ok: 1 run, 3 subagents, \d+ events, webhook verified$/,
      )
      expect(ended).toMatchObject({ code: 0, left: [], orphans: false })
      took.push(ended.ms)
    }
    expect(Math.min(...took)).toBeLessThan(MOST_MS)
  })

  it('that is stopped half-way fails, and leaves nothing either', async () => {
    const ended = await demo(/subagent\.spawned/)
    expect(ended.lines.at(-1)).toBe('demo failed: stopped')
    expect(ended).toMatchObject({ code: 1, left: [], orphans: false })
  })
})
