/** The demo as a person starts it: its last line, and what it leaves behind. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { measured } from '../support/measured.ts'
import { until } from '../support/patience.ts'

const MOST_MS = 15_000
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly lines: readonly string[]
  /** What lies in the demo's temporary folder after its end. */
  readonly left: readonly string[]
}

/** Runs the demo in a process group of its own; `stopAt` stops it as soon as a line matches. */
async function demo(stopAt?: RegExp): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  folders.push(folder)
  const child = spawn(process.execPath, ['examples/demo.ts'], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let stopped = false
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (stopped || stopAt === undefined || !stopAt.test(output)) return
    stopped = true
    child.kill('SIGTERM')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const lines = output.trimEnd().split('\n')
  await until('the end of every process', () => !groupLives(child.pid ?? 0))
  return { code, lines, left: readdirSync(folder) }
}

/** Whether the demo, or a process that it started, still lives. */
function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

describe('npm run demo', () => {
  it('runs to its end, reports that on its last line, and leaves nothing behind', async () => {
    const ended = await measured('the demo', () => demo(), { wallMs: MOST_MS })
    expect(ended.lines.at(-1)).toMatch(
      /^demo ok: 1 run, 3 subagents, \d+ events, webhook verified$/,
    )
    expect(ended).toMatchObject({ code: 0, left: [] })
  })

  it('fails when it is interrupted, and leaves nothing behind', async () => {
    const ended = await demo(/subagent\.spawned/)
    expect(ended.lines.at(-1)).toBe('demo failed: stopped')
    expect(ended).toMatchObject({ code: 1, left: [] })
  })
})
