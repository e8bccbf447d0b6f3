/** Memory of runs: whose it is, what its tools do, and what a run without memory does not notice. */

import { describe, expect, it } from 'vitest'
import type { ToolResulted } from '../../../../src/core/run/log/facts.ts'
import { memoryOperation } from '../../../../src/engine/manage/index.ts'
import { createSession, deleteSession } from '../../../../src/engine/session/query.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { decode } from '../../../../src/lib/bytes.ts'
import type { Objects } from '../../../../src/ports/world.ts'
import { setPolicy } from '../../../support/approvals.ts'
import {
  factsOf,
  outputOf,
  putFiles,
  runToRest,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { agent } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const AGENTS = {
  'base/.agents/agents/own.md': agent('You.', 'own', 'memory: {scope: agent, read: [shared]}\n'),
  'base/.agents/agents/all.md': agent('You.', 'all', 'memory: shared\n'),
  'base/.agents/agents/none.md': agent('You.', 'none', 'memory: false\n'),
  'base/.agents/agents/tool.md': agent('You.', 'tool', 'tools: [memory_search, memory_write]\n'),
  'base/.agents/agents/odd.md': agent('You.', 'odd', 'memory: user\n'),
  'base/.agents/agents/session.md': agent('You.', 'session', 'memory: session\n'),
}
const write = (given: object) => `@call memory_write ${JSON.stringify(given)}`
const get = (path: string) => `@call memory_get ${JSON.stringify({ path })}`

async function worldWith(files: Readonly<Record<string, string>> = {}, overrides = {}) {
  const world = testWorld(overrides)
  await putFiles(world, { ...AGENTS, ...files })
  return world
}
type TestWorld = Awaited<ReturnType<typeof worldWith>>

async function resultsOf(world: TestWorld, id: string): Promise<Record<string, unknown>[]> {
  const facts = await factsOf(world, id)
  const results = facts.filter(({ type }) => type === 'tool.result') as ToolResulted[]
  return results.map(({ status, text }) => ({ status, ...JSON.parse(String(text)) }))
}
const fileOf = async (world: TestWorld, path: string): Promise<string | undefined> => {
  const object = await world.objects.get(`${TENANT}/files/memory/${path}`)
  return object ? decode(object.body) : undefined
}
const offered = (world: TestWorld): string[] =>
  requestsOf(world)
    .at(-1)!
    .tools.map(({ name }) => name)

describe('memory of a run', () => {
  it('is written in its own folder, and searched there and in readable folders', async () => {
    const world = await worldWith({ 'memory/shared/MEMORY.md': '- the office is in Bonn\n' })
    const input = [
      write({ content: '- the nonce is 7f3a9', heading: 'Facts', path: 'notes.md' }),
      '@then',
      '@call memory_search {"query":"nonce"}',
      '@then',
      '@call memory_search {"query":"Bonn"}',
      '@then',
      get('shared/MEMORY.md'),
      '@say done',
    ].join('\n')
    const run = await runToRest(world, { input, agent: 'own' })
    expect(outputOf(run)).toBe('done')
    const [written, own, shared, read] = await resultsOf(world, run.state.spec!.id)
    expect(written).toMatchObject({ success: true, path: 'agents/own/notes.md', added: 1 })
    expect(own).toMatchObject({ passages: [{ path: 'agents/own/notes.md' }], stale: false })
    expect(shared).toMatchObject({ passages: [{ path: 'shared/MEMORY.md' }] })
    expect(read).toMatchObject({ text: '- the office is in Bonn' })
    expect(await fileOf(world, 'agents/own/notes.md')).toBe('## Facts\n\n- the nonce is 7f3a9\n')
  })

  it('an entry without a path goes to the note of the day', async () => {
    const world = await worldWith()
    const run = await runToRest(world, {
      input: `${write({ content: '- x' })}\n@say ok`,
      agent: 'all',
    })
    const day = new Date(run.state.started_at!).toISOString().slice(0, 10)
    expect(await fileOf(world, `shared/${day}.md`)).toBe('- x\n')
  })

  it('never reads or writes the memory of others, regardless of the path', async () => {
    const world = await worldWith({
      'memory/agents/other/MEMORY.md': '- the zebra is secret\n',
      'memory/shared/MEMORY.md': '- all\n',
    })
    const input = [
      get('agents/other/MEMORY.md'),
      get('agents/own/../other/MEMORY.md'),
      write({ content: '- x', path: 'shared/MEMORY.md' }),
      write({ content: '- x', path: 'agents/other/MEMORY.md', mode: 'replace' }),
      '@then',
      '@call memory_search {"query":"zebra"}',
      '@then',
      '@call memory_list {}',
      '@say done',
    ].join('\n')
    const run = await runToRest(world, { input, agent: 'own' })
    const results = await resultsOf(world, run.state.spec!.id)
    expect(results.slice(0, 4).map(({ status }) => status)).toEqual(Array(4).fill('error'))
    expect(results[4]).toMatchObject({ passages: [] })
    expect((results[5] as { data: { path: string }[] }).data.map(({ path }) => path)).toEqual([
      'shared/MEMORY.md',
    ])
    expect(await fileOf(world, 'agents/other/MEMORY.md')).toBe('- the zebra is secret\n')
    expect(await fileOf(world, 'shared/MEMORY.md')).toBe('- all\n')
  })

  it('a subagent shares the memory of the session at the root', async () => {
    const world = await worldWith()
    const task = `${write({ content: '- from below', path: 'n.md' })}\n@say done`
    const input = `${spawn({ agent: 'session', task })}\n@await\n${get('n.md')}\n@say end`
    const run = await runToRest(world, { input, agent: 'session' })
    const { session_id } = run.state.spec!
    expect(await fileOf(world, `sessions/${session_id}/n.md`)).toBe('- from below\n')
    const results = (await factsOf(world, run.state.spec!.id)).filter(
      ({ type }) => type === 'tool.result',
    ) as ToolResulted[]
    expect(String(results.at(-1)!.text)).toContain('from below')
  })

  it('the memory of a session is deleted with the session, and no search finds it [ME-07]', async () => {
    const world = await worldWith()
    const made = await createSession(world, TENANT, { agent: 'session', metadata: {} })
    if (!made.ok) throw new Error(made.error.detail)
    const { id } = made.value.state
    const input = `${write({ content: '- the walrus is called Ole', path: 'n.md' })}\n@say x`
    await runToRest(world, { input, agent: 'session', session_id: id })
    const manager = { world, tenant: TENANT, by: 'key' }
    const find = async () => {
      const found = await memoryOperation(manager, 'memory_search', { query: 'walrus' })
      return found.ok && (found.value as { passages: unknown[] }).passages.length
    }
    expect(await find()).toBe(1)
    expect(await deleteSession(manager, id)).toBe(true)
    expect(await fileOf(world, `sessions/${id}/n.md`)).toBeUndefined()
    expect(await find()).toBe(0)
  })

  it('concurrent additions lose none of each other’s entries', async () => {
    const world = await worldWith()
    const tasks = Array.from({ length: 8 }, (_, at) =>
      spawn({
        agent: 'all',
        task: `${write({ content: `- fact ${at}\n- the same`, path: 'n.md' })}\n@say done`,
      }),
    )
    await runToRest(world, { input: `${tasks.join('\n')}\n@await\n@say end`, agent: 'all' })
    const lines = (await fileOf(world, 'shared/n.md'))!.trim().split('\n').sort()
    expect(lines).toEqual([...Array.from({ length: 8 }, (_, at) => `- fact ${at}`), '- the same'])
  })
})

describe('memory access', () => {
  it('comes from the agent file, its tools, or the policy; otherwise there is no memory tool', async () => {
    const world = await worldWith()
    const tools = async (name: string): Promise<string[]> => {
      await runToRest(world, { input: '@say x', agent: name })
      return offered(world).filter((tool) => tool.startsWith('memory_'))
    }
    const all = ['memory_search', 'memory_get', 'memory_list', 'memory_write']
    expect(await tools('all')).toEqual(all)
    expect(await tools('tool')).toEqual(['memory_search', 'memory_write'])
    for (const name of ['none', 'odd', 'general']) expect(await tools(name)).toEqual([])
    await setPolicy(world, { memory: { scope: 'role', start: false } })
    expect(await tools('general')).toEqual(all)
    for (const name of ['none', 'odd', 'explore']) expect(await tools(name)).toEqual([])
    const text = requestsOf(world)
      .find(({ tools: some }) => some.some(({ name }) => name === 'memory_get'))!
      .tools.find(({ name }) => name === 'memory_get')!.description
    expect(text).toContain('the folder `shared/`')
  })

  it('a run without memory adds no bucket reads', async () => {
    const asked = (): { objects: Objects; keys: string[] } => {
      const inner = memoryObjects()
      const keys: string[] = []
      const objects: Objects = {
        ...inner,
        get(key) {
          keys.push(key)
          return inner.get(key)
        },
        list(prefix, cursor) {
          keys.push(prefix)
          return inner.list(prefix, cursor)
        },
      }
      return { objects, keys }
    }
    const { objects, keys } = asked()
    const world = await worldWith({ 'memory/shared/MEMORY.md': '- x\n' }, { objects })
    await runToRest(world, { input: '@say x' })
    expect(keys.filter((key) => key.includes('memory'))).toEqual([])
    await runToRest(world, { input: '@say x', agent: 'all' })
    expect(keys.some((key) => key.includes('files/memory/'))).toBe(true)
  })
})
