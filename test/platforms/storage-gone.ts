/** The checks of a bucket that vanishes: it is 503 on a platform, for reads, writes, runs and readiness. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { runToEnd } from '../support/launch.ts'
import { until } from '../support/patience.ts'

const AGENT = '---\nname: helper\ndescription: Helps.\n---\nHelp.\n'
const FILE = '/v1/files/base/.agents/agents/helper.md'
const RUN = { input: '@say hello', agent: 'helper' }

interface Answer {
  readonly what: string
  readonly status: number
  readonly text: string
}

/** Writes an agent, and runs it. */
export async function fillBucket(client: Client): Promise<void> {
  expect((await client.ask(FILE, { method: 'PUT', body: AGENT })).ok).toBe(true)
  expect((await runToEnd(client, RUN)).status).toBe('completed')
}

async function answers(client: Client): Promise<readonly Answer[]> {
  const asked = async (what: string, init: Parameters<Client['ask']>[1] = {}): Promise<Answer> => {
    const answer = await client.ask(what, init)
    return { what, status: answer.status, text: await answer.text() }
  }
  return Promise.all([
    asked(FILE),
    asked('/v1/files?prefix=base/'),
    asked('/v1/agents'),
    asked('/v1/files/base/AGENTS.md', { method: 'PUT', body: 'Be brief.' }),
    asked('/v1/runs', { method: 'POST', json: RUN }),
    asked('/readyz'),
  ])
}

/** For a moment what was seen last still counts; nothing is ever taken for absent. */
export async function untilGone(client: Client): Promise<void> {
  const asked = async () => {
    const all = await answers(client)
    for (const { what, status, text } of all) {
      if (status === 503) continue
      expect(status, `${what}: ${text}`).toBeLessThan(300)
      if (what === '/v1/agents' || what.includes('prefix')) expect(text, what).toContain('helper')
    }
    return all.every(({ status }) => status === 503)
  }
  await until('503 everywhere', asked, { everyMs: 500 })
}

export async function untilBack(client: Client): Promise<void> {
  await until('a bucket', async () => (await client.ask('/readyz')).status === 200)
  expect(await client.get('/v1/agents')).toMatchObject({ data: [{ name: 'helper' }] })
  expect((await runToEnd(client, RUN)).status).toBe('completed')
}
