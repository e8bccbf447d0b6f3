/** The web on every host: the same pages as text, the same refusals, and results of a search. */

import { expect } from 'vitest'
import type { CannedServer } from '../support/canned-server.ts'
import { type Client, eventPages, runToEnd } from '../support/launch.ts'

interface Result {
  readonly status: string
  readonly text: string
}

/** The results of these calls, made one after another by one run. */
async function resultsOf(client: Client, calls: readonly (readonly [string, object])[]) {
  const script = calls.map(([tool, given]) => `@call ${tool} ${JSON.stringify(given)}\n@then\n`)
  const run = await runToEnd(client, { input: `${script.join('')}@say done` })
  expect(run).toMatchObject({ status: 'completed' })
  const events = await eventPages(client, run.id)
  const results = events.filter(({ type }) => type === 'tool.result')
  return results.map(({ data }) => data as unknown as Result)
}

export async function readsTheWeb(client: Client, site: CannedServer): Promise<void> {
  const at = (path: string) => ['web_fetch', { url: `${site.origin}${path}` }] as const
  const paths = ['/moved', '/paper.pdf', '/umlaut', '/data.json', '/otters/', '/otters/']
  const [page, pdf, umlaut, json, ...again] = await resultsOf(client, paths.map(at))
  expect(page!.text).toMatch(/^\[Untrusted web content/)
  expect(page!.text).toContain(`url: ${site.origin}/otters/\n`)
  expect(page!.text).toContain('title: Otters & rivers\npublished: 2026-03-04\n')
  expect(page!.text).toContain(`[more about paws](${site.origin}/otters/more?page=2)`)
  expect(page!.text).toContain('| river | otters |\n| --- | --- |\n| Isar | 7 |')
  expect(page!.text).not.toMatch(/tracking|<p>/)
  expect(pdf!.text).toContain('pages: 1')
  expect(pdf!.text).toContain('Paws of otters')
  expect(umlaut!.text).toContain('Größe der Pfote')
  expect(json!.text).toContain('"otters": 7')
  expect(again[0]!.text).toEqual(again[1]!.text)
  const asked = site.received.map(({ url }) => url)
  // Those of one process share what they have read.
  expect(asked.filter((url) => url === '/otters/').length).toBeLessThanOrEqual(3)
  expect(asked).toContain('/robots.txt')
  await refusals(client, at)
  await search(client)
}

async function refusals(client: Client, at: (path: string) => readonly [string, object]) {
  const wrong = ['/inside', '/round', '/private/diary', '/big', '/picture', '/gone'].map(at)
  const found = await resultsOf(client, [
    ...wrong,
    ['web_fetch', { url: 'https://169.254.169.254/latest/meta-data' }],
    ['web_fetch', { url: 'file:///etc/passwd' }],
  ])
  for (const { status } of found) expect(status).toBe('error')
  const said = found.map(({ text }) => text)
  expect(said[0]).toContain('redirect to https://10.0.0.1/latest/meta-data: ')
  expect(said[1]).toContain('more than 5 redirects')
  expect(said[2]).toContain('robots.txt')
  expect(said[3]).toContain('larger than 10485760 bytes')
  expect(said[4]).toContain('image/png')
  expect(said[5]).toContain('responded with 410')
  expect(said.join()).not.toContain('nobody shall read this')
}

async function search(client: Client): Promise<void> {
  const [found] = await resultsOf(client, [['web_search', { query: 'otters', count: 1 }]])
  expect(found).toMatchObject({ status: 'ok' })
  expect(found!.text).toContain('1. Otters\n   https://otters.example/paws\n   They hold paws.')
  expect(found!.text).not.toContain('2.')
}
