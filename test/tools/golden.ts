/**
 * `npm run golden`: writes logs of this version to test/golden, for scenarios that are not there
 * yet. A log that is there is never rewritten: it must fold for ever as it folds today.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { view } from '../../src/core/run/view.ts'
import type { RunRequest } from '../../src/engine/accept.ts'
import { cancelRun } from '../../src/engine/cancel.ts'
import { runPartition } from '../../src/engine/names.ts'
import { createSession } from '../../src/engine/session/query.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'
import { look, putFiles, settle, startRun, TENANT, testWorld } from '../support/drive.ts'
import { scriptModel } from '../support/script.ts'

export const GOLDEN = join(import.meta.dirname, '../golden')

const SKILL = '---\nname: deploy\ndescription: How to deploy.\n---\nShip it.\n'

interface Scenario {
  readonly request: RunRequest
  /** What happens between the start and the end. */
  readonly meanwhile?: (world: MemoryWorld, id: string) => Promise<unknown>
  readonly session?: true
  /** Of the model, in tokens. */
  readonly window?: number
}

const written = (at: number): string => {
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
  'a-child-fails': {
    request: {
      input: '@spawn 1 {"task":"@fail 400"}\n@spawn 1 {"task":"@say fine"}\n@await\n@say {results}',
    },
  },
  retry: {
    request: { input: '@fail 503 times=1\n@say at last' },
    meanwhile: async (world) => {
      await settle(world)
      world.clock.advance(2_000)
    },
  },
  fails: { request: { input: '@fail 400' } },
  cancelled: {
    request: { input: '@spawn 2 {"task":"@say part {i}"}\n@await\n@say never' },
    meanwhile: (world, id) => cancelRun(world, runPartition(TENANT, id)),
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
      input: `${[1, 2, 3, 4].map(written).join('')}@say done`,
      tools: ['file_write'],
    },
    window: 1_200,
  },
  'a-turn': { request: { input: '@say second' }, session: true },
}

async function logOf({ request, meanwhile, session, window }: Scenario): Promise<string> {
  const world = testWorld(window ? { model: scriptModel(undefined, window) } : {})
  await putFiles(world, { 'base/.agents/skills/deploy/SKILL.md': SKILL })
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
  const rows = await world.store.read(runPartition(TENANT, id))
  const { state } = await look(world, id)
  const lines = rows.filter(({ key }) => /^(f\/|head$)/.test(key)).map((row) => JSON.stringify(row))
  return `${[...lines, JSON.stringify({ view: view(state) })].join('\n')}\n`
}

if (import.meta.main) {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const path = join(GOLDEN, `1-${name}.jsonl`)
    if (!existsSync(path)) writeFileSync(path, await logOf(scenario))
  }
}
