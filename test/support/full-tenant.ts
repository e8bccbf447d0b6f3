/** A tenant that has something of every kind, made by requests of its own key. */

import type { TestApi } from './http.ts'
import { PNG } from './pictures.ts'

const SKILL = { skill_md: '---\nname: theirs\ndescription: Theirs\n---\nDo it.\n' }
const AGENT = { agent_md: '---\nname: theirs\ndescription: Theirs\n---\nYou are theirs.\n' }

/** Fills the tenant of `key`; returns IDs of a run, its session, and a fan-out. */
export async function fillTenant(api: TestApi, key: string) {
  const make = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await api.call(
      method,
      path,
      json === undefined ? { key } : { key, json },
    )
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const headers = { 'content-type': 'text/plain' }
  await api.call('PUT', '/v1/files/theirs/notes.md', { key, body: 'Theirs.', headers })
  await make('PUT', '/v1/skills/theirs', SKILL)
  await make('PUT', '/v1/agents/theirs', AGENT)
  await make('PUT', '/v1/mcp-servers/theirs', { url: 'https://theirs.example/mcp' })
  await make('PUT', '/v1/memory/shared/theirs.md', { content: 'Theirs.\n' })
  await make('PUT', '/v1/schedules/theirs', { every: '1h', input: '@say theirs' })
  const policy = await api.call('GET', '/v1/policy', { key })
  const { version: _, object: __, ...rules } = policy.body
  await api.call('PUT', '/v1/policy', {
    ...{ key, headers: { 'if-match': policy.headers.get('etag') ?? '' } },
    json: { ...rules, tools: { deny: ['web_fetch'] } },
  })
  await make('POST', '/v1/webhook-endpoints', { url: 'https://one.example/hook' })
  await make('POST', '/v1/hooks', { scheme: 'standard' })
  await make('POST', '/v1/keys', { scopes: ['runs:read'] })
  await make('POST', '/v1/sign-in-links', {})
  const session = await make('POST', '/v1/sessions', {})
  const long = 'theirs '.repeat(20_000)
  const image = { type: 'image', data: PNG.toString('base64') }
  const input = [{ type: 'text', text: `@say ${long}` }, image]
  const run = await make('POST', '/v1/runs', { input, session_id: session.id })
  await make('POST', '/v1/runs', {
    input: '@spawn 2 {"task":"@say child"}\n@await\n@say {results}',
  })
  const fanout = await make('POST', '/v1/fanouts', { tasks: [{ task: '@say theirs' }] })
  await api.settle()
  return { run: run.id as string, session: session.id as string, fanout: fanout.id as string }
}
