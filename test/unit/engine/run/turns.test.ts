/** Calls of one answer on the same thing are performed in the order in which they were written. */

import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../support/api.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { factsOf, look, settle, startRun } from '../../../support/drive.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
  await api.write({ 'repos/app/old.txt': 'old' })
})

const call = (tool: string, given: object) => `@call ${tool} ${JSON.stringify(given)}`
const write = (content: string) => call('file_write', { path: 'a.txt', content })
const READ = call('file_read', { path: 'a.txt' })

async function run(...lines: readonly string[]): Promise<string> {
  const id = await startRun(api.world, { input: lines.join('\n'), repo_dir: 'repos/app' })
  await settle(api.world)
  return id
}
const stateOf = async (id: string) => (await look(api.world, id)).state
const resultsOf = async (id: string) =>
  [...(await stateOf(id)).calls.values()].map(({ result }) => String(result?.text))
async function told(id: string): Promise<string[]> {
  const facts = await factsOf(api.world, id)
  return facts.flatMap((fact) =>
    fact.type === 'tool.call' || fact.type === 'tool.result' ? [`${fact.type} ${fact.tool}`] : [],
  )
}
async function approve(id: string, tool: string): Promise<void> {
  const { data } = (await api.call('GET /v1/approvals?status=pending')).body
  const asked = data.find((one: { tool: string; run_id: string }) => one.tool === tool)
  const decided = await api.call(`POST /v1/approvals/${asked.id}/decision`, {
    decision: 'approve',
  })
  expect([asked.run_id, decided.status]).toEqual([id, 200])
  await settle(api.world)
}

describe('calls of one answer', () => {
  it('a read follows the preceding write of the same file', async () => {
    const id = await run(write('new'), READ, '@say done')
    expect((await resultsOf(id))[1]).toContain('new')
    expect(await told(id)).toEqual([
      ...['tool.call file_write', 'tool.result file_write'],
      ...['tool.call file_read', 'tool.result file_read'],
    ])
  })

  it('an operation sees the effect of the one before it', async () => {
    await setPolicy(api.world, { approvals: { 'skills_*': 'allow' } })
    const md = '---\nname: fix\ndescription: Fixes.\n---\nFix it.\n'
    const id = await run(
      call('skills_put', { role: 'main', skill_name: 'fix', skill_md: md }),
      call('skills_delete', { role: 'main', skill_name: 'fix' }),
      call('skills_list', { role: 'main' }),
      '@say done',
    )
    const [put, deleted, listed] = await resultsOf(id)
    expect(put).toContain('"created":true')
    expect(deleted).toContain('"deleted":1')
    expect(listed).not.toContain('"fix"')
  })

  it('a call queued after an approval leaves the run parked', async () => {
    await setPolicy(api.world, { approvals: { file_write: 'ask' } })
    const id = await run(write('new'), READ, '@say done')
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    expect(await told(id)).toEqual([])
    await approve(id, 'file_write')
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect((await resultsOf(id))[1]).toContain('new')
  })

  it('a call approved first waits for the one before it', async () => {
    await setPolicy(api.world, { approvals: { file_write: 'ask', file_edit: 'ask' } })
    const edit = call('file_edit', { path: 'a.txt', old_text: 'new', new_text: 'newer' })
    const id = await run(write('new'), edit, READ, '@say done')
    await approve(id, 'file_edit')
    expect(await stateOf(id)).toMatchObject({ status: 'waiting', waiting: { on: 'approval' } })
    const resumed = (await factsOf(api.world, id)).filter(({ type }) => type === 'run.resumed')
    expect(resumed).toEqual([])
    await approve(id, 'file_write')
    expect(await stateOf(id)).toMatchObject({ status: 'completed' })
    expect((await resultsOf(id))[2]).toContain('newer')
  })

  it('calls on different resources do not wait for each other', async () => {
    await setPolicy(api.world, { approvals: { file_write: 'ask' } })
    const todos = [{ content: 'one', status: 'pending' }]
    const id = await run(write('new'), call('todo', { todos }), '@say done')
    expect(await told(id)).toEqual(['tool.call todo', 'tool.result todo'])
  })
})
