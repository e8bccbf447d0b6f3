/** The script of infra/action as the runner calls it, against the real server and a canned GitHub. */

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { sharedServer, temporaryFolder } from '../support/server.ts'

const server = sharedServer()
const AGENT = '---\nname: reviewer\ndescription: Reviews a file.\n---\nReview it.\n'

async function runAction(given: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const [outputs, summary] = [join(folder, 'outputs'), join(folder, 'summary.md')]
  for (const file of [outputs, summary]) writeFileSync(file, '')
  const env = {
    PATH: process.env.PATH ?? '',
    XDG_CACHE_HOME: folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
    STRATA_URL: server().url,
    STRATA_API_KEY: server().key,
    ...given,
  }
  mkdirSync(join(folder, 'agents/.agents/agents'), { recursive: true })
  writeFileSync(join(folder, 'agents/.agents/agents/reviewer.md'), given.FILE ?? AGENT)
  const child = spawn(process.execPath, ['infra/action/main.ts'], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    code,
    said,
    outputs: readFileSync(outputs, 'utf8'),
    summary: readFileSync(summary, 'utf8'),
  }
}

it('the action pushes a layer, runs a fan-out of its agent, and reports the result', async () => {
  const { code, said, outputs, summary } = await runAction({
    LAYER: 'agents',
    TASKS: '@say a.ts is fine\n@say <b>bold</b> | @octocat\n',
    AGENT: 'reviewer',
    THEN: '@say All are fine.',
  })
  expect(said).toMatch(/pushed 1 file to base\//)
  expect(said).toMatch(/strata: fan_\w+ completed: 2 tasks, 0 not completed/)
  expect(code).toBe(0)
  expect(outputs).toMatch(/^fanout-id=fan_\w+$/m)
  expect(outputs).toMatch(/^status<<(\S+)\ncompleted\n\1$/m)
  expect(outputs).toContain('All are fine.')
  expect(summary).toContain('### Strata: completed')
  expect(summary).toContain('| a.ts is fine |')
  // Words of a model are no tags, no cells and no mentions.
  expect(summary).not.toMatch(/<b>|[^`] @octocat/)
})

it('the action comments once on the pull request, and later updates that comment', async () => {
  const comments: { id: number; body: string }[] = [{ id: 1, body: 'Looks good.' }]
  const github = await startCannedServer(({ method, url, headers, body }, response) => {
    expect(headers.authorization).toBe('Bearer ghs_test')
    const text = method === 'GET' ? '' : (JSON.parse(body) as { body: string }).body
    if (method === 'POST') comments.push({ id: comments.length + 1, body: text })
    if (method === 'PATCH') comments[Number(url?.split('/').at(-1)) - 1]!.body = text
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(comments))
  })
  cleanup.push(github.close)
  const event = join(await temporaryFolder(), 'event.json')
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }))
  const given = {
    ...{ COMMENT: 'true', GITHUB_TOKEN: 'ghs_test', GITHUB_API_URL: github.origin },
    ...{ GITHUB_REPOSITORY: 'a/b', GITHUB_EVENT_PATH: event },
  }
  const first = await runAction({ ...given, TASKS: '@say one' })
  const second = await runAction({ ...given, TASKS: '@say two' })
  expect([first.code, second.code]).toEqual([0, 0])
  expect(comments).toHaveLength(2)
  expect(comments[1]?.body).toContain('| two |')
  expect(`${first.said}${second.said}`).not.toMatch(/ghs_test|strata_/)
})

it('a failed task, a layer that does not load, and wrong inputs fail the job', async () => {
  const failed = await runAction({ TASKS: '@fail 400' })
  expect(failed.code).toBe(1)
  const broken = await runAction({ LAYER: 'agents', FILE: '---\nname: [\n---\n', TASKS: '@say x' })
  expect(broken.code).toBe(1)
  expect(broken.said).not.toContain('has begun')
  const nothing = await runAction({})
  expect(nothing).toMatchObject({ code: 2, said: expect.stringContaining('nothing to do') })
  const list = await runAction({ TASKS: '[{' })
  expect(list).toMatchObject({ code: 2, said: expect.stringContaining('tasks begins like') })
  const late = await runAction({ TASKS: '@slow 600000\n@say late', TIMEOUT_MINUTES: '0.01' })
  expect(late.code).toBe(1)
  expect(late.said).toContain('is cancelled')
})

it('every input of action.yml reaches the script', () => {
  const action = parse(readFileSync('infra/action/action.yml', 'utf8')) as {
    inputs: Record<string, unknown>
    runs: { steps: { env?: Record<string, string> }[] }
  }
  const used = JSON.stringify(action.runs.steps.map(({ env }) => env))
  for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name} }`)
  const script =
    readFileSync('infra/action/main.ts', 'utf8') + readFileSync('infra/action/comment.ts', 'utf8')
  for (const name of Object.keys(action.runs.steps.at(-1)?.env ?? {}))
    if (!name.startsWith('STRATA_')) expect(script).toContain(name)
})
