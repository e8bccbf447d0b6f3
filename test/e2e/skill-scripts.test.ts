/** Files of an opened skill in the shell: by the paths that its list says, and read-only. */

import { describe, expect, it } from 'vitest'
import { FILES, FOLDER, OPEN, resultsOf, seen, withSkill } from '../support/skill-scripts.ts'

describe('the emulated shell', () => {
  it('sees the files of an opened skill by their listed paths, and cannot change them', async () => {
    await seen(await withSkill())
  })

  it('sees no files of a skill that was not opened', async () => {
    const glob = 'cat base/.agents/skills/*/data.txt'
    const { results } = await resultsOf(await withSkill(), '', [glob])
    expect(results[0]!.text).not.toContain('its data')
  })

  it('explains in a sentence what it cannot run', async () => {
    const { results } = await resultsOf(await withSkill(), OPEN, [
      `${FOLDER}/scripts/p.py`,
      `python3 ${FOLDER}/scripts/p.py`,
      'node x.js',
    ])
    const [, byPath, byName, node] = results.map(({ text }) => text)
    for (const text of [byPath, byName])
      expect(text).toContain('[This shell is emulated and has no python3')
    expect(node).toContain('[This shell is emulated and has no node')
  })

  it('reads skill files by the same paths as the tool skill and the file tools', async () => {
    const api = await withSkill()
    const path = `${FOLDER}/scripts/plain.sh`
    const calls = [
      `@call skill ${JSON.stringify({ name: 'fix', path })}`,
      '@call skill {"name":"fix","path":"scripts/plain.sh"}',
      `@call file_read ${JSON.stringify({ path })}`,
    ]
    const { results } = await resultsOf(api, `${calls.join('\n')}\n@then`, [])
    expect(results.map(({ text }) => text)).toEqual(Array(3).fill(FILES['scripts/plain.sh']))
  })
})
