/** End user of a session among requests at once, in wakeups, and for users of an issuer. */

import { expect, it } from 'vitest'
import type { Refusal } from '../../../../src/core/problem.ts'
import { acceptRun } from '../../../../src/engine/run/accept.ts'
import { createSession } from '../../../../src/engine/session/query.ts'
import { findSession } from '../../../../src/engine/session/store.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import type { Outcome } from '../../../../src/lib/outcome.ts'
import { settle, TENANT, testWorld } from '../../../support/drive.ts'

async function emptySession(world: MemoryWorld): Promise<string> {
  const made = await createSession(world, TENANT, { agent: null, metadata: {} })
  if (!made.ok) throw new Error(made.error.detail)
  return made.value.state.id
}
const codes = (all: readonly Outcome<unknown, Refusal>[]) =>
  all.map((outcome) => (outcome.ok ? 'ok' : outcome.error.code)).toSorted()

it('the first of several end users at once has an empty session', async () => {
  const world = testWorld()
  const session_id = await emptySession(world)
  const users = ['alice', 'bob', 'carol']
  const start = (subject: string) =>
    acceptRun(world, TENANT, { input: '@say x', session_id, subject })
  expect(codes(await Promise.all(users.map(start)))).toEqual(['conflict', 'conflict', 'ok'])
  await settle(world)
  const subject = (await findSession(world, TENANT, session_id))?.state.subject
  expect(users).toContain(subject)
  for (const user of users) expect((await start(user)).ok).toBe(user === subject)
})

it('a user of an issuer cannot continue the session of another, in any protocol', async () => {
  const world = testWorld()
  const of = (subject: string): MemoryWorld => ({
    ...world,
    origin: {
      ...{ by: 'sub_1', request_id: 'req_1', via: 'openai' },
      credential: { type: 'identity', id: 'sub_1', issuer: 'https://login.example', subject },
    },
  })
  const session_id = await emptySession(world)
  const start = (user: string) => acceptRun(of(user), TENANT, { input: '@say x', session_id })
  const first = await start('alice')
  expect(first.ok && first.value.run.state.spec?.subject).toBe('alice')
  expect(codes([await start('bob'), await start('alice')])).toEqual(['conflict', 'ok'])
})

it('a wakeup acts for the end user of the run that set it', async () => {
  const world = testWorld()
  const input = '@call schedule_wakeup {"delay_seconds":60,"message":"@say awake"}\n@say done'
  const first = await acceptRun(world, TENANT, { input, subject: 'alice' })
  if (!first.ok) throw new Error(first.error.detail)
  await settle(world)
  const { store } = world
  const wakeups = await store.list(`${TENANT}/wakeups`, undefined, 10)
  expect(JSON.parse(wakeups[0]!.body).schedule.run.subject).toBe('alice')
})
