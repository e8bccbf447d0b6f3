import { expect, it } from 'vitest'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import type { Objects } from '../../../../src/ports/world.ts'
import {
  factsOf,
  look,
  outputOf,
  putFiles,
  runToRest,
  settle,
  startRun,
  testWorld,
} from '../../../support/drive.ts'

/** How often layers are listed, and what happens just before each listing. */
function listing(before: (count: number) => Promise<void> = async () => {}) {
  const counts = { lists: 0 }
  const inner = memoryObjects()
  const objects: Objects = {
    ...inner,
    async list(prefix, cursor) {
      if (prefix.endsWith('base/.')) {
        counts.lists += 1
        await before(counts.lists)
      }
      return inner.list(prefix, cursor)
    },
  }
  return { objects, counts, world: testWorld({ objects }) }
}

const agent = (name: string) => ({
  [`base/.agents/agents/${name}.md`]: `---\nname: ${name}\ndescription: d\n---\nYou are ${name}.\n`,
})

it('a request that references no layer content is accepted without listing layers', async () => {
  const { world, counts } = listing()
  const id = await startRun(world, { input: '@say hello' })
  expect(counts.lists).toBe(0)
  await settle(world)
  expect(outputOf(await look(world, id))).toBe('hello')
  expect(counts.lists).toBe(1)
  await putFiles(world, agent('auditor'))
  await startRun(world, { input: '@say hello', agent: 'auditor' })
  expect(counts.lists).toBe(2)
  await expect(startRun(world, { input: 'x', agent: 'nobody' })).rejects.toThrow('unknown_agent')
})

it('a parent lists the layers once for many subagents, and each subagent once at its start', async () => {
  const { world, counts } = listing()
  const run = await runToRest(world, {
    input: '@spawn 20 {"task":"@say part"}\n@await\n@say {results}',
  })
  expect(outputOf(run)).toBe('20')
  expect(counts.lists).toBeLessThanOrEqual(1 + 20 + 2)
})

it('a subagent is refused only after a fresh listing: a newly added agent is found', async () => {
  const { world } = listing()
  const input = [
    '@spawn 1 {"task":"@say general"}',
    '@call file_list {"path":"."}',
    '@then',
    '@spawn 1 {"agent":"fresh","task":"@say fresh"}',
    '@spawn 1 {"agent":"nobody","task":"@say nobody"}',
    '@await',
    '@say {results}',
  ].join('\n')
  const id = await startRun(world, { input })
  const { respond } = world.model
  let asked = 0
  Object.assign(world.model, {
    respond: async (...given: Parameters<typeof respond>) => {
      asked += 1
      if (asked === 2) await putFiles(world, agent('fresh'))
      return respond(...given)
    },
  })
  await settle(world)
  const facts = await factsOf(world, id)
  const spawned = facts.flatMap((fact) => (fact.type === 'subagent.spawned' ? [fact.agent] : []))
  expect(spawned).toEqual(['general', 'fresh'])
  const refused = facts.flatMap((fact) =>
    fact.type === 'tool.result' && fact.status === 'error' ? [String(fact.text)] : [],
  )
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatch(/unknown_agent: "nobody"/)
})
