/** What a session remembers of a run that was ended in the middle of a step. */

import { expect, it } from 'vitest'
import { runPartition } from '../../../../src/engine/partition/keys.ts'
import { cancelRun } from '../../../../src/engine/run/cancel.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import type { Tools } from '../../../../src/ports/world.ts'
import { BANK, OPEN, setPolicy } from '../../../support/approvals.ts'
import { look, putFiles, startRun, TENANT, typesOf } from '../../../support/drive.ts'
import { requestsOf } from '../../../support/script.ts'
import { slowWorld, together } from '../../../support/together.ts'

it('the next run sees the calls made by a cancelled run', async () => {
  const input_schema = { type: 'object' }
  const tools: Tools = {
    list: async () => ok([{ name: 'pay', description: 'Pays.', input_schema, repeatable: false }]),
    call: (_tenant, _server, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(fail({ code: 'unknown', message: 'cut' })))
      }),
    probe: async () => fail('none'),
    forget: () => {},
  }
  const world = slowWorld({ tools, web: OPEN })
  await putFiles(world, { 'base/.agents/config.toml': BANK })
  await setPolicy(world, { approvals: { file_list: 'ask' } })
  const input = '@call file_list {}\n@call mcp__bank__pay {"to":"ann"}\n@say paid'
  const id = await startRun(world, { input })
  await together(world, async () => (await typesOf(world, id)).includes('tool.call'))
  const cancelling = cancelRun(world, runPartition(TENANT, id), 'key')
  await together(world)
  expect((await cancelling)?.run.state.status).toBe('cancelled')
  const { session_id } = (await look(world, id)).state.spec!
  await startRun(world, { input: '@say next', session_id })
  await together(world)
  const { messages } = requestsOf(world).at(-1)!
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  const results = messages.flatMap((one) => (one.role === 'tool' ? one.results : []))
  expect(results.map(({ tool, is_error }) => [tool, is_error])).toEqual([
    ['file_list', true],
    ['mcp__bank__pay', true],
  ])
  expect(results[0]!.text).toBe('The run ended before this call was made.')
  expect(results[1]!.text).toContain('The outcome of this call is unknown')
})
