/** Files that are expensive to parse do not hold other requests of the running server. */

import { describe, expect, it } from 'vitest'
import { measured } from '../support/measured.ts'
import { startServer } from '../support/server.ts'

/** Nearly at every bound of a head, and nothing in it is wrong. */
const head = (i: number): string =>
  `---\nname: agent-${i}\ndescription: 'it works'\nk: [${"'b',".repeat(80)}]\n${'# nothing\n'.repeat(650)}${'\n'.repeat(300)}k2: 'b'\n---\nWork.\n`
/** Held every request for three seconds. */
const blank = (i: number): string =>
  `---\nname: blank-${i}\ndescription: d\n${'\n'.repeat(60_000)}x: 1\n---\nWork.\n`

const LAYERS = ['base', 'second', 'third']
const AGENTS = 150
/** Parsing in one piece would let one answer through at most. */
const ANSWERS = 3

describe('layer files', () => {
  it('of 150 agents at their limits are parsed while /healthz keeps answering [J05]', async () => {
    const server = await startServer()
    const headers = { authorization: `Bearer ${server.key}` }
    const put = async (layer: string, i: number) => {
      const url = `${server.url}/v1/files/${layer}/.agents/agents/agent-${i}.md`
      const body = i % 10 === 0 ? blank(i) : head(i)
      expect((await fetch(url, { method: 'PUT', headers, body })).status).toBeLessThan(300)
    }
    for (const layer of LAYERS) {
      for (let i = 0; i < AGENTS; i += 15) {
        await Promise.all(Array.from({ length: 15 }, (_, k) => put(layer, i + k)))
      }
    }
    for (const base_dir of LAYERS) {
      let done = false
      const resolving = fetch(`${server.url}/v1/resolve`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ base_dir }),
      }).then(async (response) => {
        done = true
        return response.json() as Promise<{ agents: { id: string }[] }>
      })
      let answers = 0
      while (!done) {
        const ask = () => fetch(`${server.url}/healthz`)
        const { status } = await measured('/healthz while files are parsed', ask, { wallMs: 100 })
        expect(status).toBe(200)
        if (!done) answers += 1
      }
      const { agents } = await resolving
      const found = agents.filter(({ id }) => id.startsWith('agent-')).length
      expect(found).toBe(AGENTS - AGENTS / 10)
      expect(answers).toBeGreaterThanOrEqual(ANSWERS)
    }
  })
})
