/**
 * `node test/platforms/budgets/main.ts`: children spend from one budget at once on each home, a
 * thousand of them on Node and fifty elsewhere, and the server is killed in between. What is
 * recorded may exceed the budget by one call; what was billed, by the answers that a kill lost too.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { answer, type WireRequest } from '../../../src/testing/model-script.ts'
import type { Open } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { command, given, WrongUse } from '../../support/options.ts'
import { HOMES, type HomeName, openHome, type Running } from '../versions/homes.ts'
import { thisTree } from '../versions/tree.ts'

const USAGE = `
node test/platforms/budgets/main.ts [--home ${HOMES.join('|')}]

  --home NAME   one home (default: all)

Exits with 0 when every budget has held, with 1 otherwise, with 2 when it was asked wrongly.`

const LONGEST_MS = 6 * 60_000
/** Of each task: three calls of the model. */
const TASK = '@call no_such_tool {}\n@then\n@call no_such_tool {}\n@then\n@say three'
const MODEL = 'openai/gpt-5.6-mini'
const PRICE = { input_per_million: 10, output_per_million: 40 }

interface Amount {
  readonly limit: number
  readonly spent: number
}
interface Ended {
  readonly id: string
  readonly status: string
  readonly children: Readonly<Record<string, number>>
  readonly usage: { readonly model_calls: number }
  readonly budget: {
    readonly max_tokens?: Amount
    readonly max_cost_usd?: Amount
    readonly ended_by?: string
  }
}
interface Stage {
  server: Running
  readonly restart: () => Promise<Running>
  readonly billed: () => { readonly calls: number; readonly tokens: number; readonly most: number }
  readonly children: number
}

async function ended(stage: Stage, path: string): Promise<Ended> {
  const end = performance.now() + LONGEST_MS
  for (;;) {
    const found = await stage.server.get<Ended>(path)
    if (['completed', 'failed', 'cancelled', 'timed_out'].includes(found.status)) return found
    if (performance.now() > end) throw new Error(`${path} is ${found.status} after its time`)
    await sleep(200)
  }
}

interface Case {
  readonly path: string
  readonly json: (children: number) => object
  readonly isKilled?: true
}

const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ task: `${TASK} ${index}`, model: MODEL }))
const spawn = (count: number) =>
  `@spawn ${count} ${JSON.stringify({ task: TASK })}\n@await\n@say all`

const CASES: Readonly<Record<string, Case>> = {
  'a fan-out under tokens': {
    path: '/v1/fanouts',
    json: (children) => ({ tasks: tasks(children), limits: { max_tokens: children * 700 } }),
  },
  'a fan-out under few tokens': {
    path: '/v1/fanouts',
    json: (children) => ({ tasks: tasks(children), limits: { max_tokens: 20_000 } }),
  },
  'a fan-out under tokens, and the server killed': {
    path: '/v1/fanouts',
    json: (children) => ({ tasks: tasks(children), limits: { max_tokens: children * 700 } }),
    isKilled: true,
  },
  'a fan-out under dollars': {
    path: '/v1/fanouts',
    json: (children) => ({ tasks: tasks(children), limits: { max_cost_usd: children / 150 } }),
  },
  'a tree under tokens': {
    path: '/v1/runs',
    json: () => ({ input: spawn(30), model: MODEL, limits: { max_tokens: 25_000 } }),
  },
}

async function staged(name: string, of: Case, stage: Stage): Promise<readonly string[]> {
  const before = stage.billed()
  const json = of.json(stage.children)
  const { id } = await stage.server.get<Ended>(of.path, { method: 'POST', json })
  if (of.isKilled) {
    while (stage.billed().calls < before.calls + 30) await sleep(50)
    stage.server = await stage.restart()
  }
  const { budget, children, usage } = await ended(stage, `${of.path}/${id}`)
  const after = stage.billed()
  const billed = after.tokens - before.tokens
  const lost = after.calls - before.calls - usage.model_calls
  const faults: string[] = []
  const [limit, call] = budget.max_tokens
    ? ([budget.max_tokens, after.most] as const)
    : ([budget.max_cost_usd!, (after.most * PRICE.output_per_million) / 1e6] as const)
  if (limit.spent > limit.limit + call) faults.push(`${name}: ${limit.spent} of ${limit.limit}`)
  if (limit.spent < limit.limit / 2) faults.push(`${name}: only ${limit.spent} of ${limit.limit}`)
  if (lost !== 0 && !of.isKilled) faults.push(`${name}: ${lost} calls are not counted`)
  console.log(
    `  ${name}: ${limit.spent} of ${limit.limit} spent in ${usage.model_calls} calls, ` +
      `${children.completed} children completed, ended by ${budget.ended_by ?? 'nothing'}; ` +
      `${billed} tokens billed, ${lost} answers lost`,
  )
  return faults
}

async function onHome(home: HomeName): Promise<readonly string[]> {
  const open: Open = []
  try {
    const billed = { calls: 0, tokens: 0, most: 0 }
    // As the server counts them: four characters are a token.
    const onAnswered = ({ messages }: WireRequest): void => {
      const tokens = Math.ceil(JSON.stringify(messages).length / 4)
      billed.calls += 1
      billed.tokens += tokens
      billed.most = Math.max(billed.most, tokens + 100)
    }
    const provider = await startModelServer({
      script: answer,
      onAnswered,
      port: 0,
      keep: 0,
      thinkMs: 20,
    })
    open.push(() => provider.close())
    const made = await openHome(home, { OPENAI_BASE_URL: provider.url, LANE_SUBAGENT: '32' }, open)
    console.log(made.name)
    const stage: Stage = {
      server: await made.start(thisTree()),
      async restart() {
        if (home === 'cloudflare') await stage.server.stop()
        else await stage.server.kill()
        return made.start(thisTree())
      },
      billed: () => ({ ...billed }),
      children: home === 'node' ? 1_000 : 50,
    }
    const headers = { 'if-none-match': '*' }
    await stage.server.get('/v1/policy', {
      method: 'PUT',
      json: { prices: { [MODEL]: PRICE } },
      headers,
    })
    const faults: string[] = []
    for (const [name, of] of Object.entries(CASES)) faults.push(...(await staged(name, of, stage)))
    await stage.server.stop()
    return faults
  } finally {
    for (const close of open.splice(0).reverse()) await close()
  }
}

async function run(): Promise<boolean> {
  const { values } = given(process.argv.slice(2), { home: { type: 'string' } })
  const only = values.home as HomeName | undefined
  if (only !== undefined && !HOMES.includes(only))
    throw new WrongUse(`--home is one of ${HOMES.join(', ')}, not ${only}`)
  const faults: string[] = []
  for (const home of only === undefined ? HOMES : [only]) faults.push(...(await onHome(home)))
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(`${faults.length} faults`)
  return faults.length === 0
}

await command(USAGE, run)
