/**
 * `npm run demo`: the main road from files in a bucket to an announced run, with nothing pretended
 * but the model. A server on a free port with a temporary data folder, the example packs pushed to
 * it by the command line, MCP servers by stdio and over HTTP, and one run by the API that reads
 * files, opens a skill, calls tools, spawns three subagents, waits for them and answers. A webhook
 * receiver verifies the signature. The model is a program that follows the script in the input
 * (see src/testing/script.ts): no key and no network are needed.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { followTree } from './demo/follow.ts'
import { copyPacks } from './demo/packs.ts'
import { freePort, type Started, startNode, untilAnswers } from './demo/process.ts'
import { startReceiver } from './demo/receiver.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
const SUBAGENTS = 3
const PATIENCE_MS = 60_000

/** A subagent's task is a script too; people and models would write a sentence instead. */
const spawn = (call: { task: string[] } & Readonly<Record<string, unknown>>): string =>
  `@spawn 1 ${JSON.stringify({ ...call, task: call.task.join('\n') })}`

const INPUT = [
  '@text First I look around.',
  '@call file_read {"path": "README.md"}',
  '@call file_list {"path": "src"}',
  '@call skill {"name": "code-review"}',
  '@then',
  '@text Two servers, two transports.',
  '@call mcp__everything__echo {"message": "over stdio"}',
  '@call mcp__tickets__echo {"message": "over HTTP"}',
  '@then',
  '@text Three of us are faster.',
  spawn({
    label: 'prices',
    agent: 'price-auditor',
    repo_dir: 'repos/shop',
    task: [
      '@call file_read {"path": "src/price.ts"}',
      '@slow 400',
      '@say An unknown product costs 0: priceOf falls back to it.',
    ],
  }),
  spawn({
    label: 'review',
    agent: 'reviewer',
    repo_dir: 'repos/shop',
    context: 'The user wants to know where a fraction of a cent can appear.',
    task: [
      '@call skill {"name": "code-review"}',
      '@call content_search {"query": "cents *"}',
      '@slow 700',
      '@say discounted() leaves fractions of a cent and never rounds.',
    ],
  }),
  spawn({
    label: 'message',
    agent: 'triage',
    role: 'support',
    task: ['@slow 200', '@say Topic: payment. Urgency: today. Money has left the account.'],
  }),
  '@await',
  '@say {results} subagents agree: round in discounted(), refuse unknown products.',
].join('\n')

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

type Cleanup = (close: () => Promise<unknown>) => void

async function demo(later: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-demo-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Started => {
    // One run needs no warm code.
    const base = { PATH: process.env.PATH ?? '', HOME: folder, WARM_UP: 'false' }
    const started = startNode(args, { cwd: ROOT, env: { ...base, ...env } })
    later(() => started.stop())
    return started
  }

  const port = await freePort()
  const mcpUrl = `http://127.0.0.1:${port}/mcp`
  start([EVERYTHING, 'streamableHttp'], { PORT: String(port) })
  const scripted = start(['test/support/model-server.ts', '--json'])
  const receiver = await startReceiver()
  later(receiver.close)
  const [, model = ''] = await scripted.line(/"url":"([^"]+)"/)
  const server = start(['src/cli/main.ts', 'serve'], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    OPENAI_BASE_URL: model,
    ALLOW_STDIO_MCP: 'true',
    ALLOW_LOOPBACK: 'true',
  })
  const [, url = ''] = await server.line(/listens on (\S+)/)
  const [, key = ''] = await server.line(/Admin API key \(shown only once\): (\S+)/)
  await untilAnswers(mcpUrl)
  print(`server ${url}, scripted model ${model}, MCP over HTTP ${mcpUrl}`)

  const packs = join(folder, 'packs')
  await copyPacks(join(ROOT, 'examples/packs'), packs, mcpUrl)
  for (const prefix of ['base', 'roles/support', 'repos/shop']) {
    const push = ['src/cli/main.ts', 'push', join(packs, prefix), prefix]
    const pushed = start(push, {
      STRATA_URL: url,
      STRATA_API_KEY: key,
      XDG_CACHE_HOME: join(folder, 'cache'),
    })
    print((await pushed.line(/pushed .*/))[0])
  }

  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      input: INPUT,
      role: 'support',
      repo_dir: 'repos/shop',
      webhook: { url: receiver.url },
    }),
  })
  if (response.status !== 202) throw new Error(`the run was refused: ${await response.text()}`)
  const { id, webhook_secret } = (await response.json()) as { id: string; webhook_secret: string }
  receiver.setSecret(webhook_secret)
  print(`run ${id}\n`)

  const events = await followTree({ url, key }, id, print)
  const delivered = await receiver.verified
  const count = (type: string) => events.filter((event) => event.type === type).length
  const failed = events.filter(({ type, data }) => type === 'tool.result' && data.status !== 'ok')
  check(failed.length === 0, `a tool failed: ${JSON.stringify(failed)}`)
  check(events.at(-1)?.type === 'run.completed', 'the run did not complete')
  check(count('subagent.announced') === SUBAGENTS, 'not every subagent was announced')
  check(delivered.body.type === 'run.completed', `the webhook says ${delivered.body.type}`)
  check(delivered.body.data.run_id === id, 'the webhook is about another run')
  return `demo ok: 1 run, ${SUBAGENTS} subagents, ${events.length} events, webhook verified`
}

function check(right: boolean, sentence: string): void {
  if (!right) throw new Error(sentence)
}

/** Runs the demo and closes, last first, whatever was opened: also when it fails or is stopped. */
async function main(): Promise<number> {
  const open: (() => Promise<unknown>)[] = []
  let over = false
  // What is opened after the end, by a demo that was stopped half-way, is closed at once.
  const later: Cleanup = (close) => {
    if (over) close().catch(() => undefined)
    else open.push(close)
  }
  const stopped = Promise.withResolvers<never>()
  const stop = (why: string) => () => stopped.reject(new Error(why))
  process.once('SIGINT', stop('stopped'))
  process.once('SIGTERM', stop('stopped'))
  const patience = setTimeout(stop('it took too long'), PATIENCE_MS)
  let last: string
  let code = 0
  try {
    const running = demo(later)
    // The loser of the race may still fail while everything is being closed, which is expected.
    running.catch(() => undefined)
    last = await Promise.race([running, stopped.promise])
  } catch (error) {
    last = `demo failed: ${error instanceof Error ? error.message : String(error)}`
    code = 1
  }
  clearTimeout(patience)
  over = true
  for (const close of open.reverse()) await close().catch(() => undefined)
  print(`\n${last}`)
  return code
}

process.exitCode = await main()
