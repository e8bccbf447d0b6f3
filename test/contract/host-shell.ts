/** The shell on every host: files come and go, its state lives on, and what does harm ends alone. */

import { expect } from 'vitest'
import { fullOr } from '../support/full.ts'
import { type Client, eventPages, runToEnd } from '../support/launch.ts'

interface Result {
  readonly status: string
  readonly text: string
}

/** Commands run without a person from now on. */
export async function allowCommands(client: Client, tools = ['shell_execute']): Promise<void> {
  const answer = await client.ask('/v1/policy')
  const policy = (await answer.json()) as { approvals: object }
  const allowed = Object.fromEntries(tools.map((tool) => [tool, 'allow']))
  await client.get('/v1/policy', {
    method: 'PUT',
    json: { ...policy, approvals: { ...policy.approvals, ...allowed } },
    headers: { 'if-match': answer.headers.get('etag') ?? '' },
  })
}

/** A command with the seconds that it may take. */
type Timed = readonly [command: string, timeout_seconds: number]

/** The results of these commands, run one after another by one run; 10 seconds for each unless said. */
export async function resultsOf(
  client: Client,
  commands: readonly (string | Timed)[],
): Promise<Result[]> {
  const calls = commands.map((given) => {
    const [command, timeout_seconds] = typeof given === 'string' ? [given, 10] : given
    return `@call shell_execute ${JSON.stringify({ command, timeout_seconds })}\n@then\n`
  })
  const run = await runToEnd(client, { input: `${calls.join('')}@say done` })
  expect(run).toMatchObject({ status: 'completed' })
  const results = (await eventPages(client, run.id)).filter(({ type }) => type === 'tool.result')
  return results.map(({ data }) => data as unknown as Result)
}

export async function runsCommands(client: Client): Promise<void> {
  await allowCommands(client)
  const [made, read, state, wrong, reserved] = await resultsOf(client, [
    'mkdir -p src && echo "const answer = 41" > src/a.ts && export NAME=otter && cd src && pwd',
    "sed -i 's/41/42/' a.ts && cat a.ts",
    'echo "$NAME in $PWD"; grep -c answer a.ts',
    'cat nothing.txt',
    'mkdir -p /work/.agents && echo x > /work/.agents/config.toml',
  ])
  expect(made!.text).toBe('exit code: 0; 1 files written\nstdout:\n/work/src')
  expect(read!.text).toBe('exit code: 0; 1 files written\nstdout:\nconst answer = 42')
  expect(state!.text).toBe('exit code: 0\nstdout:\notter in /work/src\n1')
  expect(wrong).toMatchObject({ status: 'error' })
  expect(wrong!.text).toContain('exit code: 1\nstderr:')
  expect(reserved!.text).toContain('.agents/config.toml was not written: reserved_path')
  await harm(client)
}

async function harm(client: Client): Promise<void> {
  const found = await resultsOf(client, [
    'while true; do :; done',
    ':(){ :|:& };:',
    `for i in $(seq 1 ${fullOr(90_000, 2_500)}); do echo $i > f$i; done`,
    'sleep 30',
    'curl https://example.org',
    'rm -rf / && ls /work | wc -l',
  ])
  expect(found[0]!.text).toContain('too many')
  expect(found[1]!.text).toContain('recursion')
  expect(found[2]!.text).toContain('more than 2000 files; none was stored')
  // The shell's own deadline, or that of its process where the machine is slow.
  expect(found[3]!.text).toMatch(/deadline|took longer than 15 s/)
  expect(found[4]!.text).toContain('curl: command not found')
  for (const { status } of found.slice(0, 5)) expect(status).toBe('error')
}
