/** Whether every task of a fan-out, and its closing run, could be a run: all refusals in one. */

import { findAgent } from '../../core/config/catalog.ts'
import { parseRole } from '../../core/config/role.ts'
import type { LayerSelection, Resolved } from '../../core/config/types.ts'
import type { Policy } from '../../core/policy.ts'
import type { ProblemPlace, Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { keyPrefix } from '../../lib/key.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { findModel, readPolicy } from '../policy.ts'
import { resolveLayers } from '../resolve.ts'
import type { FanoutRequest, TaskRequest } from './accept.ts'

export interface JudgedTask {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  /** Without the prefix that names a role. */
  readonly task: string
  readonly context: string | undefined
}
export interface Judged {
  readonly tasks: readonly JudgedTask[]
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
}

/** Places that are looked at together. */
const AT_ONCE = 8
/** So many wrong tasks are named; the first ones are enough to see what is wrong. */
const NAMED = 20

export async function judgeTasks(
  world: World,
  tenant: string,
  request: FanoutRequest,
): Promise<Outcome<Judged, Refusal>> {
  const read = readTasks(request)
  if (!read.ok) return read
  const { policy } = await readPolicy(world, tenant)
  const { strict = policy.strict, on_duplicate = policy.on_duplicate } = request
  const wanted = [...read.value.map((task, index) => ({ at: `/tasks/${index}`, ...task }))]
  const closing = request.then && {
    at: '/then',
    agent: request.then.agent ?? 'general',
    role: null,
    repo_dir: null,
  }
  const places = grouped(closing ? [...wanted, closing] : wanted)
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const refused = await Promise.all(
      places.slice(from, from + AT_ONCE).map(async (who) => {
        const { role, repo_dir } = who[0]!
        const selection: LayerSelection = {
          role: role ?? undefined,
          repo_dir: repo_dir ?? undefined,
          strict,
          on_duplicate,
        }
        const resolved = await resolveLayers(world, tenant, selection)
        if (!resolved.ok) return placed(resolved.error, who)
        return refuseAgents(world, policy, resolved.value, who)
      }),
    )
    const first = refused.find((one) => one !== undefined)
    if (first) return fail(first)
  }
  return ok({ tasks: read.value, strict, on_duplicate })
}

/** What is wrong with the tasks by themselves. */
function readTasks({ tasks, join }: FanoutRequest): Outcome<JudgedTask[], Refusal> {
  const errors: ProblemPlace[] = []
  const judged = tasks.map((task, index) => {
    const read = readTask(task)
    if (read.ok) return read.value
    errors.push({ ...read.error, pointer: `/tasks/${index}${read.error.pointer}` })
    return undefined
  })
  const policy = join?.policy
  if (typeof policy === 'object' && policy.quorum > tasks.length) {
    const message = `there are only ${tasks.length} tasks`
    errors.push({ pointer: '/join/policy/quorum', message })
  }
  if (errors.length === 0) return ok(judged.filter((task) => task !== undefined))
  const [{ pointer, message }] = errors as [ProblemPlace]
  const named = errors.slice(0, NAMED)
  return fail(refusal('invalid_request', `${pointer}: ${message}.`, { errors: named }))
}

function readTask(given: TaskRequest): Outcome<JudgedTask, ProblemPlace> {
  const parsed = parseRole(given)
  if (!parsed.ok) {
    const pointer = parsed.error.startsWith('role') ? '/role' : '/task'
    return fail({ pointer, message: parsed.error })
  }
  const { repo_dir, agent, label, context } = given
  const prefix = repo_dir === undefined || repo_dir.trim() === '' ? undefined : keyPrefix(repo_dir)
  if (prefix && !prefix.ok) return fail({ pointer: '/repo_dir', message: prefix.error })
  return ok({
    ...parsed.value,
    agent: agent?.trim() || 'general',
    label: label ?? null,
    repo_dir: prefix ? prefix.value.slice(0, -1) : null,
    context,
  })
}

interface Wanted {
  /** The pointer to it in the request. */
  readonly at: string
  readonly agent: string
  readonly role: string | null
  readonly repo_dir: string | null
}

/** By the layers that they name: each place is resolved once. */
function grouped(all: readonly Wanted[]): Wanted[][] {
  const places = new Map<string, Wanted[]>()
  for (const one of all) {
    const key = JSON.stringify([one.role, one.repo_dir])
    places.set(key, [...(places.get(key) ?? []), one])
  }
  return [...places.values()]
}

/** A refusal of the layers, with a pointer to the first task that names them. */
function placed(refused: Refusal, [first]: readonly Wanted[]): Refusal {
  if (refused.code === 'strict' || refused.code === 'invalid_config') return refused
  const errors = refused.errors?.map((one) => ({ ...one, pointer: first!.at + one.pointer }))
  return { ...refused, errors }
}

function refuseAgents(
  world: World,
  policy: Policy,
  resolved: Resolved,
  who: readonly Wanted[],
): Refusal | undefined {
  const unknown = who.filter(({ agent }) => findAgent(resolved, agent) === undefined)
  if (unknown.length > 0) {
    const available = resolved.agents.map(({ id }) => id).sort()
    const name = JSON.stringify(unknown[0]!.agent)
    const detail = `There is no agent ${name}. Available: ${available.join(', ')}.`
    const errors = unknown.slice(0, NAMED).map(({ at }) => {
      return { pointer: `${at}/agent`, message: 'unknown agent' }
    })
    return refusal('unknown_agent', detail, { errors, extra: { available } })
  }
  for (const agent of new Set(who.map((one) => findAgent(resolved, one.agent)!))) {
    const own = agent.model === 'inherit' ? undefined : (agent.model ?? undefined)
    const model = findModel(world, policy, own ?? agent.model_role ?? undefined)
    if (!model.ok) return refusal('model_not_configured', model.error.message)
  }
  return undefined
}
