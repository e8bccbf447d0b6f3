/**
 * `npm run golden`: writes logs of this version to test/fixtures/golden, for scenarios that are not there
 * yet. A log that is there is never rewritten: it must fold for ever as it folds today.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fanoutView } from '../../src/core/fanout/view.ts'
import { view } from '../../src/core/run/views/view.ts'
import { acceptFanout } from '../../src/engine/fanout/accept.ts'
import { addPage, sealFanout } from '../../src/engine/fanout/pages.ts'
import { cancelFanout } from '../../src/engine/fanout/query.ts'
import type { FanoutRequest, TaskRequest } from '../../src/engine/fanout/request.ts'
import { readFanout } from '../../src/engine/logs/fanout.ts'
import { readRun } from '../../src/engine/logs/run.ts'
import { approvalsList, fanoutPartition, runPartition } from '../../src/engine/partition/keys.ts'
import { decideApproval } from '../../src/engine/run/approvals.ts'
import { bringResults } from '../../src/engine/run/caller-tools.ts'
import { cancelRun } from '../../src/engine/run/cancel.ts'
import { sendMessage } from '../../src/engine/run/messages.ts'
import type { RunRequest } from '../../src/engine/run/request.ts'
import { createSession } from '../../src/engine/session/query.ts'
import { tick } from '../../src/engine/worker/tick.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import { fail, ok } from '../../src/lib/outcome.ts'
import type { Model } from '../../src/ports/world.ts'
import { BANK, bank, OPEN, setPolicy } from '../support/approvals.ts'
import { look, putFiles, settle, startRun, TENANT, testWorld, withTime } from '../support/drive.ts'
import { scriptModel } from '../support/script.ts'

export const GOLDEN = join(import.meta.dirname, '../fixtures/golden')

const SKILL = '---\nname: deploy\ndescription: How to deploy.\n---\nShip it.\n'

interface Scenario {
  readonly request: RunRequest
  /** What happens between the start and the end. */
  readonly meanwhile?: (world: MemoryWorld, id: string) => Promise<unknown>
  readonly session?: true
  /** Of the model, in tokens. */
  readonly window?: number
  /** The model takes schemas natively, refuses this one, and tells of its cache. */
  readonly picky?: true
  /** The first model of a chain has broken off at a price; the second does not take a setting. */
  readonly chained?: true
  /** There is a bank, and a person is asked before it pays. */
  readonly asks?: true
  /** It has a memory, in which something stands. */
  readonly remembers?: true
  /** The log of its subagent is kept instead of its own. */
  readonly child?: true
}

const PAY = '@call mcp__bank__pay {"amount":1}\n@say {last}'

/** It goes on waiting, for something else. */
const PAY_LATE = '@call mcp__bank__pay {"amount":1}\n@then\n@fail 503 times=1\n@say {last}'

/** Somebody says yes to all that is asked, to something else than was asked for. */
async function approveAll(world: MemoryWorld): Promise<void> {
  await settle(world)
  for (const { body } of await world.store.list(approvalsList(TENANT, 'pending'))) {
    const { id } = JSON.parse(body) as { id: string }
    const decision = { decision: 'approve', arguments: { amount: 2 }, by: 'somebody' } as const
    await decideApproval(world, TENANT, id, decision)
  }
}

const writing = (at: number): string => {
  const content = 'x'.repeat(300)
  return `@call file_write ${JSON.stringify({ path: `${at}.txt`, content })}\n@then\n`
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  plain: { request: { input: '@say hello', metadata: { a: 'b' } } },
  tools: {
    request: {
      input:
        '@call file_write {"path":"a.txt","content":"x"}\n@call file_read {"path":"a.txt"}\n' +
        '@call nothing {}\n@call skill {"name":"deploy"}\n@then\n@call attach_file {"path":"a.txt"}\n' +
        '@say {tools} results',
    },
  },
  subagents: {
    request: {
      input: '@spawn 3 {"task":"@say part {i}","label":"w{i}"}\n@await\n@say saw {results}',
    },
  },
  'waited-subagents': {
    request: {
      input:
        '@call Task {"prompt":"@say part 1","description":"w1"}\n' +
        '@spawn 1 {"task":"@fail 400","wait":true}\n@spawn 1 {"task":"@say part 3"}\n' +
        '@await 1\n@say {tools} results, {results} reports',
    },
  },
  'a-child-fails': {
    request: {
      input: '@spawn 1 {"task":"@fail 400"}\n@spawn 1 {"task":"@say fine"}\n@await\n@say {results}',
    },
  },
  'budget-reached': {
    request: {
      input: '@spawn 1 {"task":"@call file_list {}\\n@then\\n@say never"}\n@await\n@say {results}',
      limits: { max_tokens: 60 },
    },
    child: true,
  },
  retry: {
    request: { input: '@fail 503 times=1\n@say at last' },
    meanwhile: async (world) => {
      await settle(world)
      world.clock.advance(2_000)
    },
  },
  outage: {
    request: {
      input: '@fail 503 times=2\n@say at last',
      limits: { model_patience_seconds: 600 },
    },
    meanwhile: async (world) => {
      await settle(world)
      world.clock.advance(2_000)
      await settle(world)
      world.clock.advance(4_000)
    },
  },
  'clock-stepped': {
    request: { input: '@fail 503 times=1\n@say still there', limits: { timeout_seconds: 60 } },
    meanwhile: async (world) => {
      await settle(world)
      world.clock.set(world.clock.now() + 7_200_000)
      world.clock.advance(2_000)
    },
  },
  'answer-discarded': {
    request: { input: '@cut times=1\n@say at last' },
    meanwhile: async (world) => {
      await settle(world)
      world.clock.advance(2_000)
    },
  },
  fails: { request: { input: '@fail 400' } },
  cancelled: {
    request: { input: '@spawn 2 {"task":"@say part {i}"}\n@await\n@say never' },
    meanwhile: (world, id) => cancelRun(world, runPartition(TENANT, id), 'key'),
  },
  'any-of-two': {
    request: {
      input: '@spawn 2 {"task":"@say part {i}"}\n@await 1\n@say {results}',
      join: {
        policy: 'any',
        deadline_seconds: 60,
        on_child_failure: 'continue',
        cancel_rest: true,
      },
    },
  },
  compacted: {
    request: {
      input: `${[1, 2, 3, 4].map(writing).join('')}@say done`,
      tools: ['file_write'],
    },
    window: 1_200,
  },
  flushed: {
    request: {
      input: `@text remember(the office is in Bonn)\n${[1, 2, 3, 4].map(writing).join('')}@say done`,
      tools: ['file_write', 'memory_write'],
    },
    window: 1_400,
    remembers: true,
  },
  'a-question': {
    request: {
      input:
        '@call todo {"todos":[{"content":"Ask","status":"in_progress","activeForm":"Asking"}]}\n' +
        '@then\n@call ask_user {"question":"Which?","choices":[{"label":"red","description":"warm"}]}\n' +
        '@call ask_user {"question":"Why?","expires_in_seconds":60}\n@then\n@say {last}',
    },
    meanwhile: async (world, id) => {
      await settle(world)
      await sendMessage(world, runPartition(TENANT, id), 'red')
      await settle(world)
      world.clock.advance(61_000)
      await tick(world)
    },
  },
  'a-tool-of-the-caller': {
    request: {
      input: '@call weather {"city":"Paris"}\n@then\n@say {last}',
      instructions: 'Be brief.',
      caller_tools: [{ name: 'weather', description: 'Weather', input_schema: { type: 'object' } }],
    },
    meanwhile: async (world, id) => {
      await settle(world)
      const partition = runPartition(TENANT, id)
      const [call = ''] = (await readRun(world, partition))!.state.calls.keys()
      await bringResults(world, partition, [{ call, text: 'sunny' }])
    },
  },
  'a-paused-call': {
    asks: true,
    request: { input: '@call mcp__bank__vault {"amount":1}\n@then\n@say {last}' },
    meanwhile: async (world, id) => {
      await settle(world)
      await sendMessage(world, runPartition(TENANT, id), '1234')
    },
  },
  'a-turn': { request: { input: '@say second' }, session: true },
  'a-message': {
    request: { input: '@fail 503 times=1\n@say {last}' },
    meanwhile: async (world, id) => {
      await settle(world)
      await sendMessage(world, runPartition(TENANT, id), '@say heard', { key: 'a key' })
      world.clock.advance(2_000)
    },
  },
  'timed-out': {
    request: { input: '@fail 503 times=2\n@say late', limits: { timeout_seconds: 5 } },
    meanwhile: async (world) => {
      for (const ms of [2_000, 4_000]) {
        await settle(world)
        world.clock.advance(ms)
      }
    },
  },
  'schema-unmet': {
    request: {
      input: '@say no data\n@say {"n":"one"}',
      output_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      output_schema_required: true,
    },
    picky: true,
  },
  'a-fallback': {
    request: { input: '@say second', model_settings: { seed: 7 } },
    chained: true,
  },
  'a-person-is-asked': { request: { input: PAY }, asks: true, meanwhile: approveAll },
  'a-child-asks-a-person': {
    request: { input: `@spawn 1 ${JSON.stringify({ task: PAY_LATE })}\n@await\n@say {results}` },
    asks: true,
    meanwhile: async (world) => {
      await approveAll(world)
      await settle(world)
      world.clock.advance(2_000)
    },
  },
}

const CLOSES = { input: '@say all of it' }

interface FanoutScenario {
  readonly request: FanoutRequest
  readonly cancelled?: true
  /** Handed in one after the other, then sealed. */
  readonly pages?: readonly (readonly TaskRequest[])[]
}

const FANOUTS: Readonly<Record<string, FanoutScenario>> = {
  'fan-out': { request: { tasks: [{ task: '@say one' }, { task: '@say two' }], then: CLOSES } },
  'fan-out-fails': {
    request: {
      tasks: [{ task: '@fail 400' }, { task: '@say two' }],
      join: {
        policy: 'all',
        deadline_seconds: null,
        on_child_failure: 'fail',
        cancel_rest: true,
      },
    },
  },
  'fan-out-open': {
    request: { open: true, label: 'by pages', limits: { max_model_calls: 20 }, then: CLOSES },
    pages: [[{ task: '@say one' }], [{ task: '@say two' }, { task: '@fail 400' }]],
  },
  'fan-out-cancelled': { request: { tasks: [{ task: '@say one' }] }, cancelled: true },
}

const SHARES = { cache_read_tokens: 6, cache_write_tokens: 3, reasoning_tokens: 2 }

function pickyModel(): Model {
  const script = scriptModel()
  return {
    find: (reference) =>
      ok({ id: reference ?? 'test/model', window: 9_000, structured_output: { native: true } }),
    async respond(request, options) {
      if (request.output_schema)
        return fail({ code: 'rejected', message: 'no such schema', retryable: false })
      const answer = await script.respond(request, options)
      if (!answer.ok) return answer
      return ok({ ...answer.value, usage: { ...answer.value.usage, ...SHARES } })
    },
  }
}

const PRICE = { input_per_million: 1, output_per_million: 2 }

function chainedModel(): Model {
  const script = scriptModel()
  const fallbacks = [{ id: 'test/second', window: 9_000, price: PRICE }]
  return {
    find: (reference) => ok({ id: reference ?? 'test/model', window: 9_000, fallbacks }),
    async respond(request, options) {
      if (request.model === 'test/model') {
        const usage = { input_tokens: 7, output_tokens: 1, model_calls: 1 }
        return fail({ code: 'rate_limited', message: 'busy', retryable: true, usage })
      }
      const answer = await script.respond(request, options)
      if (!answer.ok) return answer
      return ok({ ...answer.value, model: request.model, warnings: ['does not take seed'] })
    },
  }
}

async function logOf(scenario: Scenario): Promise<string> {
  const { request, meanwhile, session, window, picky, chained, asks, remembers } = scenario
  const world = testWorld({
    ...(picky ? { model: pickyModel() } : {}),
    ...(chained ? { model: chainedModel() } : {}),
    ...(window ? { model: scriptModel(undefined, window) } : {}),
    ...(asks ? { tools: bank().tools, web: OPEN } : {}),
  })
  await putFiles(world, { 'base/.agents/skills/deploy/SKILL.md': SKILL })
  if (asks) {
    await putFiles(world, { 'base/.agents/config.toml': BANK })
    await setPolicy(world, { approvals: { '*__pay': 'ask' } })
  }
  if (remembers) {
    await setPolicy(world, { memory: { scope: 'shared', start: true } })
    await putFiles(world, { 'memory/shared/MEMORY.md': '- The office has a cat.\n' })
  }
  let full = request
  if (session) {
    const made = await createSession(world, TENANT, { agent: null, metadata: {} })
    if (!made.ok) throw new Error(made.error.detail)
    const { id } = made.value.state
    full = { ...request, session_id: id }
    await startRun(world, { input: '@say first', session_id: id })
  }
  const id = await startRun(world, full)
  await meanwhile?.(world, id)
  await settle(world)
  const { state: own } = await look(world, id)
  const [call] = own.calls.values()
  const shown = scenario.child ? (await look(world, call!.child!.run_id)).state : own
  return written(world, runPartition(TENANT, shown.spec!.id), view(shown))
}

async function fanoutLogOf({ request, cancelled, pages }: FanoutScenario): Promise<string> {
  const world = testWorld()
  const accepted = await acceptFanout(world, TENANT, request)
  if (!accepted.ok) throw new Error(accepted.error.detail)
  const partition = fanoutPartition(TENANT, accepted.value.fanout.state.spec!.id)
  for (const [page, tasks] of pages?.entries() ?? [])
    await addPage(world, partition, { page, tasks })
  if (pages) await sealFanout(world, partition, pages.length)
  if (cancelled) await withTime(world, cancelFanout(world, partition, 'key'))
  await settle(world)
  return written(world, partition, fanoutView((await readFanout(world, partition))!.state))
}

/** The rows of a log, and how it was shown. */
async function written(world: MemoryWorld, partition: string, shown: object): Promise<string> {
  const rows = await world.store.read(partition)
  const lines = rows.filter(({ key }) => /^(f\/|head$)/.test(key)).map((row) => JSON.stringify(row))
  return `${[...lines, JSON.stringify({ view: shown })].join('\n')}\n`
}

async function keep<T>(scenarios: Readonly<Record<string, T>>, logOf: (of: T) => Promise<string>) {
  for (const [name, scenario] of Object.entries(scenarios)) {
    const path = join(GOLDEN, `1-${name}.jsonl`)
    if (!existsSync(path)) writeFileSync(path, await logOf(scenario))
  }
}

if (import.meta.main) {
  await keep(SCENARIOS, logOf)
  await keep(FANOUTS, fanoutLogOf)
}
