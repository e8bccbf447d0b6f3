/** Processes that die at the worst moment: what was accepted goes on, what was told is told once. */

import { describe, expect, it } from 'vitest'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { factsAfter } from '../../../../src/engine/partition/log.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Web, WebRequest } from '../../../../src/ports/world.ts'
import {
  look,
  outputOf,
  runToRest,
  settle,
  startRun,
  TENANT,
  testWorld,
} from '../../../support/drive.ts'
import { type Death, mortal, untilDead } from '../../../support/mortal.ts'

const INPUT = '@spawn 3 {"task":"@say part {i}","label":"w{i}"}\n@await\n@say saw {results}'

/** A run of three children that dies once; its log after the successor has finished it. */
async function survive(death: Death): Promise<{ world: MemoryWorld; id: string }> {
  let died = false
  const once: Death = (...commit) => {
    const when = died ? undefined : death(...commit)
    died ||= when !== undefined
    return when
  }
  const { world, successor } = mortal(once)
  const id = await startRun(world, { input: INPUT })
  await untilDead(world)
  expect(died, 'the process never came to where it should die').toBe(true)
  return { world: await successor(), id }
}

async function toldOnce({ world, id }: { world: MemoryWorld; id: string }): Promise<void> {
  const run = await look(world, id)
  expect(run.state.status).toBe('completed')
  expect(outputOf(run)).toBe('saw 3')
  const rows = await world.store.read(runPartition(TENANT, id))
  const facts = factsAfter(rows, 0).map(({ fact }) => fact)
  const told = facts.flatMap((one) => (one.type === 'subagent.announced' ? [one.announce] : []))
  expect(told.map(({ run_id }) => run_id).sort()).toEqual(childrenOf(run).sort())
  expect(told.map(({ result }) => result).sort()).toEqual(['part 1', 'part 2', 'part 3'])
}

const childrenOf = (run: Awaited<ReturnType<typeof look>>): string[] =>
  [...run.state.calls.values()].flatMap(({ child }) => (child ? [child.run_id] : []))

const creates: Death = (_partition, writes, head) =>
  head?.expect === null && writes.some(({ key }) => key.startsWith('f/')) ? 'after' : undefined
const mail = (when: 'before' | 'after'): Death => {
  return (_partition, writes) => (writes.some(isLetter) ? when : undefined)
}
const isLetter = ({ op, key }: { op: string; key: string }): boolean =>
  op === 'put' && key.startsWith('mail/')

describe('a process that crashes', () => {
  it('after creating a child, before its first step, finds the child again [X-01 OC-35]', async () => {
    let seen = 0
    // The first creation is the run itself.
    const death: Death = (...commit) => (creates(...commit) && seen++ > 0 ? 'after' : undefined)
    await toldOnce(await survive(death))
  })
  it('after a child is done, before it notifies its parent, notifies it once [X-02 OC-32]', async () => {
    await toldOnce(await survive(mail('before')))
  })
  it('after a child has notified its parent, before the parent reads it, delivers it once [X-02]', async () => {
    await toldOnce(await survive(mail('after')))
  })
  it('before or after any commit delivers each child’s end once [X-02]', async () => {
    const calm = testWorld()
    let commits = 0
    const { store } = calm
    const counted = testWorld({
      store: {
        ...store,
        commit(...given) {
          commits += 1
          return store.commit(...given)
        },
      },
    })
    await runToRest(counted, { input: INPUT })
    expect(commits).toBeGreaterThan(8)
    // The first commit is the acceptance: a caller whose 202 never came asks again.
    for (let k = 2; k <= commits; k += 1) {
      for (const when of ['before', 'after'] as const) {
        let count = 0
        await toldOnce(await survive(() => (++count === k ? when : undefined)))
      }
    }
  })
})

describe('children that end together', () => {
  it('within the same millisecond give three results, none dropped, in one message [X-06]', async () => {
    const world = testWorld()
    const run = await runToRest(world, { input: INPUT })
    const ends = await Promise.all(childrenOf(run).map((child) => look(world, child)))
    expect(new Set(ends.map(({ state }) => state.ended_at)).size).toBe(1)
    await toldOnce({ world, id: run.state.spec!.id })
    const { model } = world as MemoryWorld & { model: { requests: { messages: object[] }[] } }
    const last = JSON.stringify(model.requests.at(-1)?.messages)
    expect([...last.matchAll(/<subagent_result /g)]).toHaveLength(3)
  })
})

describe('a webhook', () => {
  /** Receives everything; the first answer is lost on its way back. */
  function deafOnce(): { web: Web; received: WebRequest[] } {
    const received: WebRequest[] = []
    const send = async (request: WebRequest) => {
      received.push(request)
      return received.length === 1
        ? fail('timed out after 15 s')
        : ok({ status: 204, headers: {}, body: '' })
    }
    return { web: { check: () => undefined, send }, received }
  }

  it('that arrived without acknowledgment is resent under the same ID [X-03]', async () => {
    const { web, received } = deafOnce()
    const world = testWorld({ web })
    const webhook = { url: 'https://receiver.example/hook' }
    await runToRest(world, { input: '@say hello', webhook })
    for (let minute = 0; minute < 10; minute += 1) {
      world.clock.advance(60_000)
      await settle(world)
    }
    expect(received).toHaveLength(2)
    const [first, second] = received
    expect(second?.headers['webhook-id']).toMatch(/^msg_/)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    // The signature is made anew: its time is that of the attempt.
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
  })
})
