/** The audit log on every host: the origin of a change, an entry by its ID, and the hash chain. */

import { expect } from 'vitest'
import type { ExportLine } from '../../src/core/audit-chain.ts'
import { AuditVerifier } from '../../src/core/audit-verifier.ts'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Entry {
  readonly version: string
  readonly seq: number | null
  readonly request_id?: string
  readonly address?: string
  readonly before?: string | null
  readonly after?: string | null
}

export async function sealsItsAudit(client: Client): Promise<void> {
  const path = 'base/audited.txt'
  const put = async (body: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const answer = await client.ask(`/v1/files/${path}`, { method: 'PUT', body, headers })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return answer.headers.get('x-request-id')
  }
  const requests = [await put('one'), await put('two')]
  // An endpoint and its entry are in another place than the entry of a file.
  const json = { url: 'https://receiver.example/audit', events: ['run.completed'] }
  const { id } = await client.get<{ id: string }>('/v1/webhook-endpoints', { method: 'POST', json })
  await client.ask(`/v1/webhook-endpoints/${id}`, { method: 'DELETE' })
  const entries: Entry[] = []
  await eventually(async () => {
    const query = `kind=file&name=${encodeURIComponent(path)}`
    const { data } = await client.get<{ data: Entry[] }>(`/v1/audit?${query}`)
    expect(data.map(({ request_id }) => request_id)).toEqual(requests.toReversed())
    expect(data[0]?.before).toBe(data[1]?.after)
    for (const { address } of data) expect(address).not.toBe('203.0.113.9')
    const { data: ends } = await client.get<{ data: Entry[] }>(`/v1/audit?name=${id}&action=delete`)
    expect(ends).toHaveLength(1)
    entries.splice(0, entries.length, ...data, ...ends)
  })
  await eventually(async () => {
    for (const { version } of entries) {
      const entry = await client.get<Entry>(`/v1/audit/${version}`)
      expect(entry).toMatchObject({ version, seq: expect.any(Number) })
    }
  })
  const lines = await exportOf(client)
  expect(verified(lines)).toMatchObject({
    head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    unsealed: 0,
  })
  for (const [edit, edited] of Object.entries(editsOf(lines)))
    expect(verified(edited), edit).toMatchObject({ fault: expect.any(String) })
}

async function exportOf(client: Client): Promise<ExportLine[]> {
  const text = await (await client.ask('/v1/audit/export')).text()
  const lines = text.trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as ExportLine)
}

function verified(lines: readonly ExportLine[]) {
  const verifier = new AuditVerifier()
  for (const line of lines) {
    const fault = verifier.check(line)
    if (fault !== undefined) return { fault }
  }
  return verifier.finish()
}

/** The export with an entry changed, missing, inserted, or in another order. */
function editsOf(lines: readonly ExportLine[]): Readonly<Record<string, readonly ExportLine[]>> {
  const [start, first, second, ...more] = lines
  if (first?.object !== 'audit_link' || second?.object !== 'audit_link') throw new Error('no links')
  const changed = { ...first, entry: { ...first.entry, by: 'other' } }
  return {
    changed: [start!, changed, second, ...more],
    missing: [start!, first, ...more],
    inserted: [start!, first, first, second, ...more],
    reordered: [start!, second, first, ...more],
  }
}
