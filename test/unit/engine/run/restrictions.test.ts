import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fanoutChildId } from '../../../../src/core/fanout/child.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { factsOf, putFiles } from '../../../support/drive.ts'
import { cases } from '../../../support/full.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const WRITE = '@call file_write {"path":"x","content":"y"}'
const DEEP = { settings: { maxDepth: 3 } }

async function apiWith(heads: Readonly<Record<string, string>>): Promise<TestApi> {
  const api = await testApi(DEEP)
  const files = Object.entries(heads).map(([id, head]) => [
    `base/.agents/agents/${id}.md`,
    agent('Does it.', id, head === '' ? '' : `${head}\n`),
  ])
  await putFiles(api.world, Object.fromEntries(files))
  return api
}
async function start(api: TestApi, json: object, path = '/v1/runs'): Promise<string> {
  const { status, body } = await api.call('POST', path, { json })
  expect([status, body.detail]).toEqual([202, undefined])
  await api.settle()
  return body.id
}
/** The runs of a tree, by their own logs. */
async function treeOf(api: TestApi, id: string): Promise<readonly RunFact[][]> {
  const facts = await factsOf(api.world, id)
  const below = facts.flatMap((fact) => (fact.type === 'subagent.spawned' ? [fact.run_id] : []))
  return [facts, ...(await Promise.all(below.map((one) => treeOf(api, one)))).flat()]
}
const agentOf = ([first]: readonly RunFact[]): string =>
  first?.type === 'run.created' ? first.run.agent : ''

/** The agents whose file_write was performed. */
const writersIn = (tree: readonly RunFact[][]): string[] =>
  tree
    .filter((facts) =>
      facts.some(
        (one) => one.type === 'tool.result' && one.tool === 'file_write' && one.status === 'ok',
      ),
    )
    .map(agentOf)
    .sort()
const writers = async (api: TestApi, ...ids: string[]): Promise<string[]> =>
  writersIn((await Promise.all(ids.map((id) => treeOf(api, id)))).flat())

/** `a` starts `b`, which starts `c`; each tries to write. */
const CHAIN = `${WRITE}\n${spawn({
  agent: 'b',
  task: `${WRITE}\n${spawn({ agent: 'c', task: WRITE })}`,
})}`

describe('caller restrictions', () => {
  it.each([
    ['nothing', {}, ['a', 'b', 'c']],
    ['tools', { tools: ['Read', 'Task'] }, []],
    ['tools that include it', { tools: ['Write', 'Task'] }, ['a', 'b', 'c']],
    ['disallowed_tools', { disallowed_tools: ['Write'] }, []],
    ['a glob', { disallowed_tools: ['file_w*'] }, []],
  ])('%s: the run’s lists apply to every descendant', async (_, lists, expected) => {
    const api = await apiWith({ a: '', b: 'tools: [Write, Task]', c: '' })
    const id = await start(api, { input: CHAIN, agent: 'a', ...lists })
    expect(await writers(api, id)).toEqual(expected)
  })

  it('the lists of a fan-out task apply to no other task', async () => {
    const api = await apiWith({ a: '', b: '', c: '' })
    const tasks = [
      { agent: 'a', task: CHAIN, tools: ['Read', 'Task'] },
      { agent: 'b', task: spawn({ agent: 'c', task: WRITE }), disallowed_tools: ['Write'] },
      { agent: 'c', task: WRITE },
    ]
    const id = await start(api, { tasks }, '/v1/fanouts')
    const roots = ['0', '1', '2'].map((task) => fanoutChildId({ id }, task))
    expect(await writers(api, ...roots)).toEqual(['c'])
    const json = { tasks: [{ task: 'x' }, { task: 'x', disallowed_tools: ['Wrte'] }] }
    const { status, body } = await api.call('POST', '/v1/fanouts', { json })
    expect([status, body.errors?.[0].pointer]).toEqual([422, '/tasks/1/disallowed_tools/0'])
  })

  it('unattended approvals of a fan-out and of a hook refuse every write', async () => {
    const api = await apiWith({ a: 'confirm-before: Write', b: '', c: '' })
    const approvals = { unattended: true }
    const tasks = [{ agent: 'a', task: CHAIN }]
    const id = await start(api, { tasks, approvals }, '/v1/fanouts')
    expect(await treeOf(api, fanoutChildId({ id }, '0'))).toHaveLength(3)
    expect(await writers(api, fanoutChildId({ id }, '0'))).toEqual([])
    const events = await api.call('GET', `/v1/fanouts/${id}/events`)
    expect(events.text).toContain('"unattended":true')
    const hook = { scheme: 'github', agent: 'a', approvals, template: CHAIN }
    const made = await api.call('POST', '/v1/hooks', { json: hook })
    expect([made.status, made.body.run.approvals.unattended]).toEqual([201, true])
    expect((await api.call('GET', '/v1/approvals')).body.data).toEqual([])
  })
})

describe('agent file restrictions', () => {
  it.each([
    ['disallowedTools: Write', []],
    ['permission: {write: deny}', []],
    ['tools: {write: false}', []],
    ['confirm-before: file_write', []],
    ['permission: {write: ask}', []],
    ['tools: [Task, Read]', ['b', 'c']],
    ['tools: [Task, Write, Bash(git *)]', ['a', 'b', 'c']],
    ['tools: [Task, Read, Write(x/*)]', ['b', 'c']],
  ])('%s: applies to the agent and its subagents as declared', async (head, expected) => {
    const api = await apiWith({ a: head, b: '', c: 'tools: [Write]' })
    const id = await start(api, { input: CHAIN, agent: 'a', approvals: { unattended: true } })
    expect(await writers(api, id)).toEqual(expected)
  })

  it('an approval required by an agent above names that agent', async () => {
    const api = await apiWith({ a: 'confirm-before: Write', b: '', c: '' })
    const input = spawn({ agent: 'b', task: WRITE })
    await start(api, { input, agent: 'a' })
    const { data } = (await api.call('GET', '/v1/approvals')).body
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(['the agent a'])
  })
})

describe('the subagents tool', () => {
  it.each([
    [{ disallowed_tools: ['subagents'] }, '', false],
    [{}, 'disallowedTools: subagents', false],
    [{}, 'permission: {subagents: deny}', false],
    [{}, 'tools: [Task]', true],
    [{ tools: ['Task'] }, '', true],
  ])('%j %s: obeys denials like any other tool', async (lists, head, there) => {
    const api = await apiWith({ a: head })
    await start(api, { input: '@say x', agent: 'a', ...lists })
    const names = requestsOf(api.world)[0]!.tools.map(({ name }) => name)
    expect([names.includes('sessions_spawn'), names.includes('subagents')]).toEqual([true, there])
  })
})

/** What a head says of file_write: for its own agent, and for everybody below. */
const HEADS = [
  { head: '', own: true, below: true },
  { head: 'tools: [Task, Write]', own: true, below: true },
  { head: 'tools: [Task, Read]', own: false, below: true },
  { head: 'tools: {"*": false, task: yes, write: "true"}', own: true, below: true },
  { head: 'tools: {task: true, write: ask}', own: false, below: false },
  { head: 'disallowedTools: [[Write]]', own: false, below: false },
  { head: 'permission: {"file_*": deny}', own: false, below: false },
  { head: 'confirm-before: {write: true}', own: false, below: false },
  { head: 'tools: [Task, "Write(docs/*)", Read]', own: false, below: true },
] as const
const CALLERS = [
  { lists: {}, may: true },
  { lists: { tools: ['Task', 'Write'] }, may: true },
  { lists: { tools: ['Task', 'Read'] }, may: false },
  { lists: { disallowed_tools: ['*_write'] }, may: false },
] as const

interface Node {
  readonly head: number
  readonly children: readonly Node[]
}
const nodeOf = (depth: number): fc.Arbitrary<Node> =>
  fc.record({
    // Heads that say nothing come more often, or nothing would ever be written below.
    head: fc.oneof(fc.constantFrom(0, 1, 3), fc.nat(HEADS.length - 1)),
    children: depth === 0 ? fc.constant([]) : fc.array(nodeOf(depth - 1), { maxLength: 2 }),
  })

describe('random trees', () => {
  it('perform no effect outside the grants of any ancestor, and withhold none within them', async () => {
    const tree = fc.record({ root: nodeOf(3), caller: fc.nat(CALLERS.length - 1) })
    await fc.assert(
      fc.asyncProperty(tree, async ({ root, caller }) => {
        const heads: Record<string, string> = {}
        const expected: string[] = []
        const { lists, may } = CALLERS[caller]!
        const script = (node: Node, above: boolean): { id: string; text: string } => {
          const id = `n${Object.keys(heads).length}`
          const said = HEADS[node.head]!
          heads[id] = said.head
          if (above && said.own) expected.push(id)
          const below = node.children.map((child) => {
            const { id: target, text } = script(child, above && said.below)
            return spawn({ agent: target, task: text })
          })
          return { id, text: [WRITE, ...below].join('\n') }
        }
        const { id, text } = script(root, may)
        const api = await apiWith(heads)
        const asked = { input: text, agent: id, approvals: { unattended: true }, ...lists }
        const all = await treeOf(api, await start(api, asked))
        expect(all).toHaveLength(Object.keys(heads).length)
        expect(writersIn(all)).toEqual(expected.sort())
      }),
      { numRuns: cases(25) },
    )
  })
})
