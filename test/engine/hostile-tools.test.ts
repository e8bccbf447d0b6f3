/** What a hostile model asks of the tools for files: it gets an answer, and holds nobody else. */

import { describe, expect, it } from 'vitest'
import { builtin } from '../../src/engine/tools/index.ts'
import { toolOutcome } from '../../src/hosts/mcp/result.ts'
import type { World } from '../../src/ports/world.ts'
import { cpuMs } from '../support/cpu.ts'
import { putFiles, TENANT, testWorld } from '../support/drive.ts'

/** What a run calls in the folder `repos/a`. */
const call = (world: World, tool: string, given: Record<string, unknown>) => {
  const place = { tenant: TENANT, root: 'repos/a/' }
  return builtin({ world, tenant: TENANT, place } as never, tool, given, null)
}

/** CPU of this thread until the tool has answered. */
async function heldFor<T>(act: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const began = process.threadCpuUsage()
  const answer = await act()
  const { user, system } = process.threadCpuUsage(began)
  return { ms: (user + system) / 1_000, answer }
}

describe('a hostile model', () => {
  it('A09 file_search with groups of alternatives ends, and says so when it is too much', async () => {
    const world = testWorld()
    const name = (i: number) => `repos/a/${'a'.repeat(60)}/${'ab'.repeat(40)}${i}.ts`
    await putFiles(world, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [name(i), 'x'])))
    for (const pattern of [
      '{a,b,c,d,e,f,g,h}'.repeat(11),
      '{a,aa,aaa}'.repeat(18),
      '{,}'.repeat(60),
    ]) {
      const { ms, answer } = await heldFor(() => call(world, 'file_search', { pattern }))
      expect(ms, pattern).toBeLessThan(500)
      expect(answer.text).toMatch(/^(No file matches|invalid_pattern)/)
    }
  })

  it('A04 file_edit that would grow a file beyond its bound is refused before it is made', async () => {
    const world = testWorld()
    await putFiles(world, { 'repos/a/a.txt': 'a'.repeat(1_000_000) })
    const given = { path: 'a.txt', old_text: 'a', new_text: 'b'.repeat(200_000), all: true }
    const { ms, answer } = await heldFor(() => call(world, 'file_edit', given))
    expect(answer.status).toBe('error')
    expect(answer.text).toMatch(/too_large/)
    expect(ms).toBeLessThan(1_000)
    const half = 'a'.repeat(100_000)
    const near = { path: 'a.txt', old_text: `${half}b${half}`, new_text: '' }
    const looked = await heldFor(() => call(world, 'file_edit', near))
    expect(looked.answer.text).toMatch(/^not_found/)
    expect(looked.ms).toBeLessThan(500)
  })

  it('A04 content_search answers when every line of a large file is a hit', async () => {
    const world = testWorld()
    await putFiles(world, { 'repos/a/a.txt': 'a\n'.repeat(400_000) })
    const answer = await call(world, 'content_search', { query: 'a' })
    expect(answer.text).toContain('[only 200 of 400000 lines]')
  })

  it('A04 a path of a million slashes and data of a million signs take no time', async () => {
    const world = testWorld()
    const path = `${'/'.repeat(250_000)}x`
    const { ms } = await heldFor(() => call(world, 'file_list', { path }))
    expect(ms).toBeLessThan(200)
    const data = `${'='.repeat(1_000_000)}x`
    const image = { type: 'image', mimeType: 'image/png', data } as const
    const held = cpuMs(() => expect(toolOutcome({ content: [image] }).text).toMatch(/750000 bytes/))
    expect(held).toBeLessThan(200)
  })
})
