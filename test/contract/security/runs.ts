/** Calls of models (A), schedules (S), and large folders (Z). */

import { childrenOf, runToEnd } from '../../support/launch.ts'
import { until } from '../../support/patience.ts'
import { type Ask, type Case, json, type Made, resultsIn, resultsOf, run, send } from './kit.ts'

/** A decision about arguments that the person was not shown. */
const otherArguments: Ask = async ({ other }) => {
  const policy = await json(other, 'GET', '/v1/policy')
  const headers = { 'if-match': policy.headers.get('etag') ?? '' }
  await json(other, 'PUT', '/v1/policy', { approvals: { file_write: 'ask' } }, headers)
  const input = '@call file_write {"path":"a.txt","content":"x"}\n@then\n@say done'
  await json(other, 'POST', '/v1/runs', { input })
  const pending = async (): Promise<Made | undefined> => {
    const { body } = await json(other, 'GET', '/v1/approvals?status=pending')
    return (body as { data: Made[] }).data[0]
  }
  const { id } = await until('an approval', pending)
  const decision = { decision: 'approve', args_hash: '0'.repeat(64) }
  return json(other, 'POST', `/v1/approvals/${id}/decision`, decision)
}

/** The result of a spawn by a subagent, which is at the depth limit. */
const nested: Ask = async ({ client }) => {
  const task = '@call sessions_spawn {"task":"@say x"}\n@then\n@say done'
  const input = `@spawn 1 ${JSON.stringify({ task })}\n@await\n@say done`
  const { id } = await runToEnd(client, { input })
  const [child] = await childrenOf(client, id)
  const [result] = await resultsIn(client, child!.id)
  const isRefused = result?.is_error && result.text === 'Nested spawn is not allowed'
  return { status: 202, code: isRefused ? 'refused' : result?.text }
}

/** Addresses that the tool refuses before any request. */
const fetched =
  (urls: readonly string[]): Ask =>
  async ({ client }) => {
    const calls = urls.map((url) => `@call web_fetch ${JSON.stringify({ url })}`).join('\n')
    const results = await resultsOf(client, { input: `${calls}\n@then\n@say done` })
    const accepted = results.find(
      ({ is_error, text }) => !is_error || !/: the (?:URL|host) /.test(text),
    )
    const isRefused = accepted === undefined && results.length === urls.length
    return { status: 202, code: isRefused ? 'refused' : accepted?.text }
  }
const INTERNAL = [
  ...['http://127.0.0.1:8787/v1/policy', 'http://localhost./', 'http://0x7f.1/', 'http://[::1]/'],
  ...['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://[fd00::1]/'],
  ...['https://user:pass@example.com/', 'file:///etc/passwd', 'data:text/html,x'],
]

/** More calls in one answer than are performed. */
const manyCalls: Ask = async ({ client }) => {
  const calls = Array.from({ length: 132 }, (_, at) => `@call file_list {"prefix":"p${at}"}`)
  const results = await resultsOf(client, { input: `${calls.join('\n')}\n@then\n@say done` })
  const last = results.at(-1)
  const isCut = results.length === 129 && last?.is_error && /^At most 128 calls/.test(last.text)
  return { status: 202, code: isCut ? 'dropped' : `${results.length} results` }
}

/** More calls that wait for a person than are shown of one run. */
const manyApprovals: Ask = async ({ other }) => {
  const write = (at: number) => `@call file_write {"path":"${at}","content":"x"}`
  const input = Array.from({ length: 25 }, (_, at) => write(at)).join('\n')
  const { body } = await json(other, 'POST', '/v1/runs', { input })
  const { id } = body as Made
  const pending = async (): Promise<number> => {
    const list = await json(other, 'GET', '/v1/approvals?status=pending&limit=100')
    const { data } = list.body as { data: readonly { readonly run_id: string }[] }
    return data.filter(({ run_id }) => run_id === id).length
  }
  await until('20 approvals', async () => (await pending()) >= 20)
  return { status: 202, code: `${await pending()} shown` }
}

const repeated = Array(10).fill('@call file_read {"path":"a"}').join('\n@then\n')

const schedule = (cron: string): Ask =>
  send('PUT', '/v1/schedules/security', { cron, input: '@say x' })

export const RUNS: readonly Case[] = [
  ['A01', 'a tool that does not exist', run('@call no_tool {}'), 202, 'unknown_tool'],
  [
    'A01',
    'a tool with a look-alike letter',
    run('@call fіle_read {"path":"a"}'),
    202,
    'unknown_tool',
  ],
  ['A02', 'a spawn at the depth limit', nested, 202, 'refused'],
  [
    'A03',
    'arguments of another shape',
    run('@call file_read {"path":[7]}'),
    202,
    'invalid_arguments',
  ],
  [
    'A03',
    'an extra argument',
    run('@call file_read {"path":"x","more":1}'),
    202,
    'invalid_arguments',
  ],
  [
    'A03',
    '__proto__',
    run('@call file_read {"path":"x","__proto__":{}}'),
    202,
    'invalid_arguments',
  ],
  ['A06', 'web_fetch of internal addresses', fetched(INTERNAL), 202, 'refused'],
  ['A21', '132 calls in one answer', manyCalls, 202, 'dropped'],
  ['A22', 'the same call ten times', run(repeated), 202, 'loop'],
  ['A24', 'a decision about other arguments', otherArguments, 409, 'args_changed'],
  ['A26', '25 calls that wait for a person', manyApprovals, 202, '20 shown'],
  [
    'A27',
    'a spawn of an unknown agent',
    run('@call sessions_spawn {"task":"x","agent":"ghost"}'),
    202,
    'unknown_agent',
  ],
  [
    'A28',
    'a run in a session of another tenant',
    async ({ client, other }) => {
      const { body } = await json(client, 'POST', '/v1/sessions', {})
      const { id } = body as Made
      return json(other, 'POST', '/v1/runs', { input: '@say x', session_id: id })
    },
    404,
    'not_found',
  ],
]

export const SCHEDULES: readonly Case[] = [
  ...['* * * * * *', '@reboot', '0 0 31 2 *', '*/0 * * * *', `0 0 * * ${'1,'.repeat(500)}1`].map(
    (cron): Case => [
      'S01',
      `the rule ${cron.slice(0, 20)}`,
      schedule(cron),
      422,
      'invalid_request',
    ],
  ),
  [
    'Z05',
    'Markdown of brackets',
    send('PUT', '/v1/memory/shared/deep.md', { content: '['.repeat(250_000) }),
    201,
  ],
]
