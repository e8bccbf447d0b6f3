/** What a model can do about those it has started: a message to one that lives, to nobody else. */

import { describe, expect, it } from 'vitest'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { factsOf, look, outputOf, startRun, TENANT } from '../../../support/drive.ts'
import { spawn } from '../../../support/script.ts'
import { slowWorld, together } from '../../../support/together.ts'

const send = (target: string, message: string) =>
  `@call subagents ${JSON.stringify({ action: 'send', target, message })}`

async function toEnd(world: MemoryWorld, lines: readonly string[]) {
  const id = await startRun(world, { input: lines.join('\n') })
  await together(world)
  return look(world, id)
}
const answers = (run: Awaited<ReturnType<typeof look>>): string[] =>
  [...run.state.calls.values()]
    .filter(({ tool }) => tool === 'subagents')
    .map(({ result }) => String(result?.text))

describe('a message to a subagent', () => {
  it('reaches the child once, before its next step, and is answered', async () => {
    const world = slowWorld()
    const run = await toEnd(world, [
      spawn({ task: '@slow 5000\n@say first', label: 'w' }),
      '@then',
      send('w', '@say heard you'),
      '@await',
      '@say {results}',
    ])
    expect(outputOf(run)).toBe('1')
    const [child] = [...run.state.calls.values()]
    expect(child?.child?.announce?.result).toBe('heard you')
    const facts = await factsOf(world, child!.child!.run_id)
    const received = facts.filter(({ type }) => type === 'message.received')
    expect(received).toHaveLength(1)
    const { message_id } = JSON.parse(answers(run)[0]!)
    expect(received[0]).toMatchObject({ message_id })
  })

  it('is refused when blank [MC-23]', async () => {
    const run = await toEnd(slowWorld(), [
      spawn({ task: '@slow 5000\n@say first', label: 'w' }),
      '@then',
      send('w', '  '),
      '@call subagents {"action":"send","target":"w"}',
      '@await',
      '@say done',
    ])
    expect(answers(run)).toEqual(Array(2).fill('INVALID_PARAMS: Message is required.'))
  })

  it('is refused after its end, also by a name that another child has since received [CC-20]', async () => {
    const world = slowWorld()
    const run = await toEnd(world, [
      spawn({ task: '@say quick', label: 'w' }),
      '@await',
      send('w', '@say too late'),
      '@then',
      spawn({ task: '@slow 5000\n@say second', label: 'w' }),
      '@then',
      send('w', '@say for whom'),
      '@await',
      '@say done',
    ])
    const [late, reused] = answers(run)
    expect(late).toMatch(/^INVALID_STATE: run_\w+ has already ended\.$/)
    expect(reused).toMatch(/^AMBIGUOUS: 2 subagents have used this label: run_/)
    const children = await world.store.list(`${TENANT}/runs/${run.state.spec!.id}`)
    for (const { body } of children) {
      const { id } = (JSON.parse(body) as { view: { id: string } }).view
      const types = (await factsOf(world, id)).map(({ type }) => type)
      expect(types).not.toContain('message.received')
    }
  })

  it('reaches only the run’s own children [SW-06 OC-60]', async () => {
    const world = slowWorld()
    const other = await startRun(world, {
      input: `${spawn({ task: '@slow 900000\n@say other' })}\n@await\n@say done`,
    })
    const child = async () => [...(await look(world, other)).state.calls.values()][0]?.child?.run_id
    await together(world, async () => (await child()) !== undefined)
    const foreign = (await child())!
    const run = await toEnd(world, [send(foreign, '@say hello'), '@then', '@say done'])
    expect(answers(run)).toEqual([`NOT_FOUND: subagent "${foreign}" not found.`])
    expect(run.state.status).toBe('completed')
    const types = (await factsOf(world, foreign)).map(({ type }) => type)
    expect(types).not.toContain('message.received')
  })
})
