/** What a hostile model asks of the tools for files: it gets an answer, and holds nobody else. */

import { describe, expect, it } from 'vitest'
import { builtin } from '../../../../src/engine/tools/index.ts'
import { toolOutcome } from '../../../../src/hosts/mcp/result.ts'
import type { World } from '../../../../src/ports/world.ts'
import { putFiles, TENANT, testWorld } from '../../../support/drive.ts'
import { measured } from '../../../support/measured.ts'

/** What a run calls in the folder `repos/a`. */
const call = (world: World, tool: string, given: Record<string, unknown>) => {
  const place = { tenant: TENANT, root: 'repos/a/' }
  return builtin({ world, tenant: TENANT, place } as never, tool, given, null)
}

describe('resistance to a hostile model', () => {
  it('file_search with groups of alternatives ends, and reports when it is too much [A09]', async () => {
    const world = testWorld()
    const name = (i: number) => `repos/a/${'a'.repeat(60)}/${'ab'.repeat(40)}${i}.ts`
    await putFiles(world, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [name(i), 'x'])))
    for (const pattern of [
      '{a,b,c,d,e,f,g,h}'.repeat(11),
      '{a,aa,aaa}'.repeat(18),
      '{,}'.repeat(60),
    ]) {
      const search = () => call(world, 'file_search', { pattern })
      const answer = await measured(pattern, search, { cpuMs: 500 })
      expect(answer.text).toMatch(/^(No files match|invalid_pattern)/)
    }
  })

  it('file_edit that would grow a file beyond its bound is refused before it is applied [A04]', async () => {
    const world = testWorld()
    await putFiles(world, { 'repos/a/a.txt': 'a'.repeat(1_000_000) })
    const given = { path: 'a.txt', old_text: 'a', new_text: 'b'.repeat(200_000), all: true }
    const edit = () => call(world, 'file_edit', given)
    const answer = await measured('an edit that grows', edit, { cpuMs: 1_000 })
    expect(answer.status).toBe('error')
    expect(answer.text).toMatch(/too_large/)
    const half = 'a'.repeat(100_000)
    const near = { path: 'a.txt', old_text: `${half}b${half}`, new_text: '' }
    const lookFor = () => call(world, 'file_edit', near)
    const missing = await measured('a text that nearly fits', lookFor, { cpuMs: 500 })
    expect(missing.text).toMatch(/^not_found/)
  })

  it('content_search answers when every line of a large file matches [A04]', async () => {
    const world = testWorld()
    await putFiles(world, { 'repos/a/a.txt': 'a\n'.repeat(400_000) })
    const answer = await call(world, 'content_search', { query: 'a' })
    expect(answer.text).toContain('[only 200 of 400000 lines]')
  })

  it('a path of a million slashes and data of a million signs add no noticeable time [A04]', async () => {
    const world = testWorld()
    const path = `${'/'.repeat(250_000)}x`
    const list = () => call(world, 'file_list', { path })
    await measured('a path of slashes', list, { cpuMs: 200 })
    const data = `${'='.repeat(1_000_000)}x`
    const image = { type: 'image', mimeType: 'image/png', data } as const
    const outcome = measured('signs', () => toolOutcome({ content: [image] }), { cpuMs: 200 })
    expect(outcome.text).toMatch(/750000 bytes/)
  })
})
