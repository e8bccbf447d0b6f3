import { expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { BANK, bank, OPEN, setPolicy } from '../../../support/approvals.ts'
import { settle } from '../../../support/drive.ts'
import { requestsOf, spawn } from '../../../support/script.ts'

const start = async (api: TestApi, input: string, more = {}): Promise<string> => {
  const { status, body } = await api.call('POST /v1/runs', { input, ...more })
  expect(status).toBe(202)
  await settle(api.world)
  return body.id
}
const runOf = async (api: TestApi, id: string) => (await api.call(`GET /v1/runs/${id}`)).body
const pending_input = async (api: TestApi) =>
  (await api.call('GET /v1/approvals?status=pending')).body.data

it('an approval may outlast the time-outs of the tool and the run [AP-08]', async () => {
  const clock = memoryClock()
  const server = bank()
  const seconds: number[] = []
  // A server that is as slow as its entry lets it be, less one second.
  const tools: typeof server.tools = {
    ...server.tools,
    call: async (tenant, entry, call) => {
      seconds.push(entry.tool_timeout_sec)
      await clock.sleep(entry.tool_timeout_sec * 1_000 - 1_000, call.signal)
      if (call.signal.aborted) return fail({ code: 'timeout', message: 'it took too long' })
      return server.tools.call(tenant, entry, call)
    },
  }
  const api = await testApi({ clock, tools, web: OPEN })
  await api.write({ 'base/.agents/config.toml': `${BANK}tool_timeout_sec = 20\n` })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const child = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  const asks = spawn({ task: child, label: 'payer' })
  const input = `${asks}\n@then\n@call subagents {"action":"list"}\n@await\n@say {results}`
  const id = await start(api, input, { limits: { timeout_seconds: 30 } })
  clock.advance(3_600_000)
  await tick(api.world)
  await settle(api.world)
  expect(await runOf(api, id)).toMatchObject({ status: 'waiting' })
  const [asked] = await pending_input(api)
  await api.call(`POST /v1/approvals/${asked.id}/decision`, { decision: 'approve' })
  await settle(api.world)
  expect(seconds).toEqual([20])
  expect(server.calls).toHaveLength(1)
  expect(await runOf(api, asked.run_id)).toMatchObject({
    status: 'completed',
    output: { text: 'pay done' },
  })
  expect(await runOf(api, id)).toMatchObject({ status: 'completed', output: { text: '1' } })
})

it('GET /v1/approvals?run_id= lists the approvals of a run and its subagents', async () => {
  const { tools } = bank()
  const api = await testApi({ tools, web: OPEN })
  await api.write({ 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const pays = '@call mcp__bank__pay {"amount":1}\n@say {last}'
  const parent = await start(
    api,
    `${spawn({ task: pays, label: 'payer' })}\n@await\n@say {results}`,
  )
  const other = await start(api, pays)
  const listOf = async (query: string) =>
    (await api.call(`GET /v1/approvals?${query}`)).body.data.map(
      ({ run_id, root_run_id }: Record<string, string>) => [run_id, root_run_id],
    )
  const [[child]] = await listOf(`run_id=${parent}`)
  expect(child).not.toBe(parent)
  expect(await listOf(`run_id=${parent}`)).toEqual([[child, parent]])
  expect(await listOf(`run_id=${child}`)).toEqual([[child, parent]])
  expect(await listOf(`run_id=${other}&status=pending`)).toEqual([[other, other]])
  expect(await listOf(`run_id=${other}&status=decided`)).toEqual([])
  expect(await listOf('status=pending')).toHaveLength(2)
})

it.each([
  ['/v1/approvals?run_id=nonsense', 'run_'],
  ['/v1/approvals?run_id=ses_aaaaaaaaaaaaaaaaaaaaaaaaaa', 'run_'],
  ['/v1/runs?session_id=nonsense', 'ses_'],
])('GET %s is refused, because no ID has this form', async (path, prefix) => {
  const { status, body } = await (await testApi()).call(`GET ${path}`)
  expect([status, body.code]).toEqual([400, 'invalid_query'])
  expect(body.detail).toContain(`Must be an ID: \`${prefix}\` followed by 26 characters`)
})

it('the parent model is informed that its subagent awaits an approval [AP-08]', async () => {
  const { tools } = bank()
  const api = await testApi({ tools, web: OPEN })
  await api.write({ 'base/.agents/config.toml': BANK })
  await setPolicy(api.world, { approvals: { '*__pay': 'ask' } })
  const list = '@call subagents {"action":"list"}'
  const asks = spawn({ task: '@call mcp__bank__pay {"amount":1}', label: 'payer' })
  const id = await start(api, `${asks}\n@await\n@say never`)
  await api.call(`POST /v1/runs/${id}/messages`, { content: `${list}\n@say told` })
  await settle(api.world)
  const [told] = requestsOf(api.world)
    .flatMap(({ messages }) => messages.at(-1) ?? [])
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .filter(({ text }) => String(text).startsWith('{"subagents"'))
  expect(JSON.parse(String(told?.text)).subagents).toMatchObject([
    { label: 'payer', status: 'waiting', waiting_on: 'approval' },
  ])
})

it('a call that no rule names runs at once whatever its arguments, and only a rule asks [MC-31]', async () => {
  const calls: unknown[] = []
  const { tools } = bank()
  const api = await testApi({
    web: OPEN,
    tools: {
      ...tools,
      list: async () =>
        ok([
          {
            name: 'shell',
            description: 'Runs a command.',
            input_schema: {
              type: 'object',
              properties: { command: { type: ['string', 'null'] } },
            },
            repeatable: false,
          },
        ]),
      call: async (_, __, { arguments: given }) => {
        calls.push((given as { command?: unknown }).command)
        return ok({ text: 'ran', is_error: false })
      },
    },
  })
  await api.write({ 'base/.agents/config.toml': BANK })
  const commands = [
    ...['ls', 'rm file.txt', 'cat /etc/password', 'chmod 644 f', 'curl -o f u'],
    ...['DELETE FROM t WHERE id=1', 'git push origin main', '', null],
  ]
  const input = commands
    .map((command) => `@call mcp__bank__shell ${JSON.stringify({ command })}`)
    .join('\n')
  const id = await start(api, `${input}\n@say {tools}`)
  expect(await pending_input(api)).toEqual([])
  expect(await runOf(api, id)).toMatchObject({ status: 'completed', output: { text: '9' } })
  expect(calls).toHaveLength(commands.length)
  expect(new Set(calls)).toEqual(new Set(commands))
  // The same calls under a rule: that nobody was asked above is no accident.
  await setPolicy(api.world, { approvals: { '*__shell': 'ask' } })
  const second = await start(api, `${input}\n@say {tools}`)
  expect(await pending_input(api)).toHaveLength(commands.length)
  expect(await runOf(api, second)).toMatchObject({ status: 'waiting' })
  expect(calls).toHaveLength(commands.length)
})
