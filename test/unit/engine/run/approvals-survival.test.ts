/** An approval below a subagent, while processes die at every single commit of its life. */

import { expect, it } from 'vitest'
import { approvalsList } from '../../../../src/engine/partition/keys.ts'
import { decideApproval } from '../../../../src/engine/run/approvals.ts'
import type { MemoryWorld } from '../../../../src/hosts/memory/world.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { look, putFiles, settle, startRun, TENANT } from '../../../support/drive.ts'
import { type Death, mortal, untilDead } from '../../../support/mortal.ts'

const PAY = '@call mcp__bank__pay {"amount":1}\n@say {last}'
const INPUT = `@spawn 1 ${JSON.stringify({ task: PAY })}\n@await\n@say {results}`

/** Approves what waits, if anything does. */
async function approve(world: MemoryWorld): Promise<void> {
  const [asked] = await world.store.list(approvalsList(TENANT, 'pending'))
  if (!asked) return
  const { id } = JSON.parse(asked.body) as { id: string }
  await decideApproval(world, TENANT, id, { decision: 'approve', by: 'key' })
  await settle(world)
}

async function live(death: Death) {
  const { tools, calls } = bank()
  const { world, successor } = mortal(death, { tools, web: OPEN })
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  await setPolicy(world, { approvals: { '*__pay': 'ask' } })
  const id = await startRun(world, { input: INPUT })
  await untilDead(world)
  await approve(world).catch(() => undefined)
  const next = await successor()
  await approve(next)
  const run = await look(next, id)
  const pending_input = await next.store.list(approvalsList(TENANT, 'pending'))
  const decided = await next.store.list(approvalsList(TENANT, 'decided'))
  return { calls, run, pending_input, decided }
}

it('a crash at any commit leaves one decision, at most one payment, and one notice [X-02 X-39]', async () => {
  let commits = 0
  await live(() => {
    commits += 1
    return undefined
  })
  expect(commits).toBeGreaterThan(10)
  // The first two are the policy and the acceptance.
  for (let at = 3; at <= commits; at += 1) {
    for (const when of ['before', 'after'] as const) {
      let seen = 0
      const { calls, run, pending_input, decided } = await live(() => {
        seen += 1
        return seen === at ? when : undefined
      })
      const which = `${when} commit ${at} of ${commits}`
      expect(run.state.status, which).toBe('completed')
      expect(run.state.output?.text, which).toBe('1')
      expect(calls.length, which).toBeLessThanOrEqual(1)
      expect(pending_input, which).toEqual([])
      expect(decided, which).toHaveLength(1)
      const [call] = [...run.state.calls.values()]
      const said = String(call?.child?.announce?.result)
      expect(calls.length === 1 ? said : 'pay done', which).toMatch(/pay done|outcome of this call/)
    }
  }
})
