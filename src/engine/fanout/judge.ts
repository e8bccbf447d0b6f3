/**
 * Checks that every task of a fan-out, and its closing run, is a valid run. Reports all errors
 * together.
 */

import { parseRole } from '../../core/config/agent/role.ts'
import { findAgent } from '../../core/config/layer/catalog.ts'
import type { LayerSelection, Resolved } from '../../core/config/types.ts'
import type { TaskPlan } from '../../core/fanout/facts.ts'
import type { Media } from '../../core/media.ts'
import type { Policy } from '../../core/policy.ts'
import type { ProblemPlace, Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { Budget, RunWarning } from '../../core/run/log/fact-parts.ts'
import {
  REQUIRES_NOTHING,
  requiresNothing,
  shapeAsked,
} from '../../core/run/prompt/structured-output.ts'
import { brokenFiles, layerWarnings, warned } from '../../core/run/state/warning.ts'
import { missingRefused } from '../../core/tools/missing-tools.ts'
import { wrongTools } from '../../core/tools/requested-tools.ts'
import { unusable } from '../../core/tools/schema-lint.ts'
import { keyPrefix } from '../../lib/key.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { noAgent, noModel } from '../layers/not-found.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { findModel, priceRefused, readPolicy } from '../tenant/policy.ts'
import type { ReadRequest, ReadTask } from './content.ts'

export interface JudgedTask extends Omit<TaskPlan, 'input'> {
  /** Task context without a role prefix. Member `task` has no prefix either. */
  readonly context: string | undefined
  /** Images and files of the task; absent if there are none. */
  readonly media?: readonly Media[]
}
export interface JudgedFanout {
  readonly tasks: readonly JudgedTask[]
  /** ID of the closing run's agent. */
  readonly closing: string | null
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
}

/** Number of layer locations resolved concurrently. */
const AT_ONCE = 8
/** Maximum number of invalid tasks named in a rejection. */
const MAX_NAMED = 20

export async function judgeTasks(
  world: World,
  tenant: string,
  request: ReadRequest,
): Promise<Outcome<JudgedFanout, Refusal>> {
  const read = judgedAlone(request)
  if (!read.ok) return read
  if (world.model.ready) await world.model.ready()
  const { policy } = await readPolicy(world, tenant)
  const { strict = policy.strict, on_duplicate = policy.on_duplicate } = request
  const targets = [...read.value.map((task, index) => ({ at: `/tasks/${index}`, ...task }))]
  const closing = request.then && {
    at: '/then',
    agent: request.then.agent ?? 'general',
    role: null,
    repo_dir: null,
  }
  const places = grouped(closing ? [...targets, closing] : targets)
  const layersByPlace = new Map<string, JudgedLayers>()
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const rejections = await Promise.all(
      places.slice(from, from + AT_ONCE).map(async (who) => {
        const { role, repo_dir } = who[0]!
        const selection: LayerSelection = {
          role: role ?? undefined,
          repo_dir: repo_dir ?? undefined,
          strict,
          on_duplicate,
        }
        const resolved = await resolveLayers(world, tenant, selection)
        if (!resolved.ok) return pointToTask(resolved.error, who)
        layersByPlace.set(placeOf(who[0]!), placeFound(resolved.value))
        const judging = { policy, strict, limits: request.limits ?? {} }
        return refuseAgents(world, judging, resolved.value, who)
      }),
    )
    const first = rejections.find((rejection) => rejection !== undefined)
    if (first) return fail(first)
  }
  const placeOfTask = (target: TaskTarget | JudgedTask) => layersByPlace.get(placeOf(target))!
  const idOf = (target: TaskTarget | JudgedTask) =>
    findAgent(placeOfTask(target).resolved, target.agent)!.id
  const tasks = read.value.map((task) => ({
    ...task,
    agent: idOf(task),
    ...warned(placeOfTask(task).warnings),
  }))
  return ok({ tasks, closing: closing ? idOf(closing) : null, strict, on_duplicate })
}

interface JudgedLayers {
  readonly resolved: Resolved
  /** Warnings collected once for all tasks that use these layers. */
  readonly warnings: readonly RunWarning[]
}
const placeFound = (resolved: Resolved): JudgedLayers => ({
  resolved,
  warnings: [...layerWarnings(resolved), ...brokenFiles(resolved)],
})

/** Validates the tasks of a request without their layers. */
function judgedAlone({ tasks = [], join, open }: ReadRequest): Outcome<JudgedTask[], Refusal> {
  const errors: ProblemPlace[] = []
  const checkedTasks = tasks.map((task, index) => {
    const read = readTask(task)
    errors.push(...wrongTools(task, `/tasks/${index}`), ...wrongSchema(task, `/tasks/${index}`))
    if (read.ok) return read.value
    errors.push({ ...read.error, pointer: `/tasks/${index}${read.error.pointer}` })
    return undefined
  })
  const policy = join?.policy
  if (!open && typeof policy === 'object' && policy.quorum > tasks.length) {
    const message = `exceeds the number of tasks (${tasks.length})`
    errors.push({ pointer: '/join/policy/quorum', message })
  }
  if (errors.length === 0) return ok(checkedTasks.filter((task) => task !== undefined))
  const [{ pointer, message }] = errors as [ProblemPlace]
  const firstErrors = errors.slice(0, MAX_NAMED)
  return fail(refusal('invalid_request', `${pointer}: ${message}.`, { errors: firstErrors }))
}

function readTask(task: ReadTask): Outcome<JudgedTask, ProblemPlace> {
  const parsed = parseRole(task)
  if (!parsed.ok) {
    const pointer = parsed.error.startsWith('role') ? '/role' : '/task'
    return fail({ pointer, message: parsed.error })
  }
  const { repo_dir, agent, label, context, tools, disallowed_tools } = task
  const { model, model_settings, timeout_seconds, model_patience_seconds, metadata } = task
  const prefix = repo_dir === undefined || repo_dir.trim() === '' ? undefined : keyPrefix(repo_dir)
  if (prefix && !prefix.ok) return fail({ pointer: '/repo_dir', message: prefix.error })
  return ok({
    ...parsed.value,
    agent: agent?.trim() || 'general',
    label: label ?? null,
    repo_dir: prefix ? prefix.value.slice(0, -1) : null,
    ...(tools ? { tools } : {}),
    ...(disallowed_tools ? { disallowed_tools } : {}),
    ...(model === undefined ? {} : { model }),
    ...(model_settings ? { model_settings } : {}),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    ...(model_patience_seconds === undefined ? {} : { model_patience_seconds }),
    ...shapeAsked(task),
    ...(metadata ? { metadata } : {}),
    context,
    ...(task.media ? { media: task.media } : {}),
  })
}

/** Reports a task's output schema if no answer can be validated against it. */
function wrongSchema(task: ReadTask, at: string): ProblemPlace[] {
  if (requiresNothing(task)) {
    return [{ pointer: `${at}/output_schema_required`, message: REQUIRES_NOTHING }]
  }
  const wrong = task.output_schema && unusable(task.output_schema)
  return wrong ? [{ pointer: `${at}/output_schema${wrong.pointer}`, message: wrong.message }] : []
}

interface TaskTarget {
  /** JSON pointer to the task in the request. */
  readonly at: string
  readonly agent: string
  readonly role: string | null
  readonly repo_dir: string | null
  readonly tools?: readonly string[]
  readonly disallowed_tools?: readonly string[]
  readonly model?: string
}

type Layers = Pick<TaskTarget, 'role' | 'repo_dir'>
const placeOf = ({ role, repo_dir }: Layers): string => JSON.stringify([role, repo_dir])

/** Groups tasks by the layers that they name, so that each group's layers are resolved once. */
function grouped(all: readonly TaskTarget[]): TaskTarget[][] {
  const places = new Map<string, TaskTarget[]>()
  for (const target of all) {
    const key = placeOf(target)
    places.set(key, [...(places.get(key) ?? []), target])
  }
  return [...places.values()]
}

/** Adds a pointer to a rejection of layers: the first task that names them. */
function pointToTask(rejection: Refusal, [first]: readonly TaskTarget[]): Refusal {
  if (rejection.code === 'strict' || rejection.code === 'invalid_config') return rejection
  const errors = rejection.errors?.map((error) => ({
    ...error,
    pointer: first!.at + error.pointer,
  }))
  return { ...rejection, errors }
}

interface Judging {
  readonly policy: Policy
  readonly strict: boolean
  readonly limits: Budget
}

function refuseAgents(
  world: World,
  { policy, strict, limits }: Judging,
  resolved: Resolved,
  who: readonly TaskTarget[],
): Refusal | undefined {
  const unknown = who.filter(({ agent }) => findAgent(resolved, agent) === undefined)
  if (unknown.length > 0) {
    const [{ agent }] = unknown as [TaskTarget]
    const { code } = noAgent(resolved, agent)
    // The reason applies to the first unknown agent. Other tasks may have another reason.
    const alike = unknown.filter((target) => noAgent(resolved, target.agent).code === code)
    const pointers = alike.slice(0, MAX_NAMED).map(({ at }) => `${at}/agent`)
    return noAgent(resolved, agent, pointers)
  }
  const checkedLists = new Set<string>()
  for (const { at, tools, disallowed_tools = [], ...target } of who) {
    if (isKnown(checkedLists, [target.agent, tools, disallowed_tools])) continue
    const agent = findAgent(resolved, target.agent)!
    const lists = { tools: tools ?? null, disallowed_tools }
    const lacking = missingRefused(agent, lists, resolved, { ...policy, strict })
    if (!lacking) continue
    const pointer = `${at}/${tools === undefined ? 'agent' : 'tools'}`
    const errors = [{ pointer, message: lacking.detail }]
    return refusal(lacking.code, lacking.detail, { errors })
  }
  const models = new Set<string>()
  for (const { at, model: requestedModel, ...target } of who) {
    if (isKnown(models, [target.agent, requestedModel])) continue
    const agent = findAgent(resolved, target.agent)!
    const agentModel = agent.model === 'inherit' ? undefined : (agent.model ?? undefined)
    const model = findModel(
      world,
      policy,
      requestedModel ?? agentModel ?? agent.model_role ?? undefined,
    )
    const pointer = `${at}/${requestedModel === undefined ? 'agent' : 'model'}`
    if (!model.ok) return noModel(model.error, [{ pointer, message: model.error.message }])
    const message = priceRefused(policy, model.value, limits)
    if (message === undefined) continue
    return refusal('price_unknown', message, { errors: [{ pointer, message }] })
  }
  return undefined
}

/** Records a task's signature; returns true if it was already recorded. */
function isKnown(signatures: Set<string>, parts: readonly unknown[]): boolean {
  const { size } = signatures
  return signatures.add(JSON.stringify(parts)).size === size
}
