/** The data-flow policy on every host: what a run has read, the next turn of its session knows. */

import { expect } from 'vitest'
import type { CannedServer } from '../support/canned-server.ts'
import { type Client, runToEnd } from '../support/launch.ts'

interface Followed {
  readonly output: { readonly text: string } | null
  readonly untrusted?: { readonly name: string; readonly run_id: string }
}

export async function followsUntrustedText(client: Client, site: CannedServer): Promise<void> {
  await limit(client, 'deny')
  const url = `${site.origin}/otters/`
  const script = `@call web_fetch ${JSON.stringify({ url })}\n@then\n@say {last}`
  const { id, session_id } = await runToEnd(client, { input: script })
  const shown = (run: string) => client.get<Followed>(`/v1/runs/${run}`)
  expect((await shown(id)).untrusted).toMatchObject({ name: 'web_fetch', run_id: id })
  const next = await shown((await runToEnd(client, { input: script, session_id })).id)
  expect(next.untrusted).toMatchObject({ run_id: id })
  expect(next.output?.text).toMatch(/^denied_by_policy: the data-flow policy of the tenant denies/)
  await limit(client, 'allow')
}

async function limit(client: Client, outward_after_untrusted: 'allow' | 'deny'): Promise<void> {
  const read = await client.ask('/v1/policy')
  const policy = (await read.json()) as { readonly data_flow: object }
  const json = { ...policy, data_flow: { ...policy.data_flow, outward_after_untrusted } }
  const headers = { 'if-match': read.headers.get('etag') ?? '"0"' }
  await client.get('/v1/policy', { method: 'PUT', headers, json })
}
