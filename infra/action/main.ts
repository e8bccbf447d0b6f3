/**
 * The script of the GitHub Action: checks a layer, pushes it, runs a fan-out, waits, and reports in
 * the summary of the job and in a comment of the pull request. Its settings are the variables that
 * action.yml fills; what it prints is read by people, so text of models never stands at the
 * beginning of a line, where `::` would be a command to the runner.
 */

import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { check } from '../../src/cli/check.ts'
import { push } from '../../src/cli/push.ts'
import { processTerminal } from '../../src/cli/terminal.ts'
import { type components, createClient } from '../../src/client/index.ts'
import { comment } from './comment.ts'
import { report } from './report.ts'

type Schemas = components['schemas']
type Env = Readonly<Record<string, string | undefined>>

const { env } = process
const terminal = processTerminal()
const say = (text: string): void => terminal.out(`strata: ${text.replace(/\s+/g, ' ')}`)

class Wrong extends Error {}

async function main(): Promise<number> {
  if (!env.STRATA_URL || !env.STRATA_API_KEY) throw new Wrong('url and api-key are needed')
  if (!env.LAYER && !env.TASKS) throw new Wrong('neither layer nor tasks is given: nothing to do')
  if (env.LAYER && !(await pushed(env.LAYER))) return 1
  if (!env.TASKS) return 0
  const fanout = await finished(tasksOf(env.TASKS, env.AGENT), minutesOf(env))
  const text = report(fanout)
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text)
  if (env.COMMENT === 'true') say(await comment(env, text))
  const failed = fanout.results.filter(({ status }) => status !== 'completed').length
  say(`${fanout.id} ${fanout.status}: ${fanout.results.length} tasks, ${failed} not completed`)
  return fanout.status === 'completed' && failed === 0 ? 0 : 1
}

/** Paths are those of the workspace. False: the layer has an error, or a file was refused. */
async function pushed(layer: string): Promise<boolean> {
  const dir = resolve(env.GITHUB_WORKSPACE ?? '.', layer)
  const found = await check(dir, { json: false, loose: false }, terminal.out, terminal.err)
  if (found !== 0) return false
  const prefix = env.PREFIX || 'base'
  return (await push(terminal, { dir, prefix, delete: env.DELETE === 'true' })) === 0
}

/** Lines, or the list of POST /v1/fanouts. */
function tasksOf(text: string, agent: string | undefined): Schemas['FanoutInput']['tasks'] {
  if (!text.trimStart().startsWith('[')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((task) => ({ task, ...(agent ? { agent } : {}) }))
  }
  try {
    return JSON.parse(text) as Schemas['FanoutInput']['tasks']
  } catch (error) {
    throw new Wrong(`tasks begins like a JSON list and is none: ${(error as Error).message}`)
  }
}

function minutesOf({ TIMEOUT_MINUTES }: Env): number {
  const minutes = Number(TIMEOUT_MINUTES || '30')
  if (!(minutes > 0)) throw new Wrong('timeout-minutes must be a number above 0')
  return minutes
}

/** A job that is run again asks for a fan-out of its own; a request that is repeated does not. */
async function finished(tasks: Schemas['FanoutInput']['tasks'], minutes: number) {
  const { fanouts } = createClient({ onRetry: ({ message }) => say(`${message}; trying again`) })
  const then = env.THEN ? { then: { input: env.THEN } } : {}
  const { GITHUB_REPOSITORY = 'local', GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT = '1', GITHUB_JOB } = env
  const job = [GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_JOB].join(':')
  const key = GITHUB_RUN_ID ? { idempotencyKey: job.replace(/[^\w:-]/g, '_').slice(0, 200) } : {}
  const { id } = await fanouts.create({ tasks, ...then }, key)
  say(`${id} has begun`)
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `fanout-id=${id}\n`)
  let fanout = await fanouts.wait(id, { forMs: minutes * 60_000 })
  if (fanout.ended_at === null) {
    say(`${id} has taken ${minutes} minutes and is cancelled`)
    await fanouts.cancel(id, { reason: 'the pipeline waits no longer' })
    fanout = await fanouts.wait(id, { forMs: 60_000 })
  }
  const results: Schemas['TaskResult'][] = []
  for await (const one of fanouts.tasks(id, { limit: 100 })) results.push(one)
  output('status', fanout.status)
  output('output', fanout.output?.text ?? '')
  return { ...fanout, results }
}

/** In the form for several lines, whose end no text can know. */
function output(name: string, value: string): void {
  if (!env.GITHUB_OUTPUT) return
  const end = `end-${crypto.randomUUID()}`
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`)
}

if (import.meta.main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    terminal.err(`strata: ${(error as Error).message.replace(/\s+/g, ' ')}`)
    process.exitCode = error instanceof Wrong ? 2 : 1
  }
}
