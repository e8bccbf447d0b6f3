/**
 * Schedules defined by layer files. The tenant enables them, and the schedule's passes read the
 * files (`core/schedule/source.ts`).
 */

import type { LayerSelection, ScheduleEntry } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { at, definitionFrom } from '../../core/schedule/request.ts'
import type { Schedule, ScheduleSource } from '../../core/schedule/schedule.ts'
import { afterRead, type FileState } from '../../core/schedule/source.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { selection } from '../layers/selection.ts'
import type { Asker } from '../tenant/audit.ts'
import { checkDefinition } from './judge.ts'
import { type Expected, putSchedule, type ShownSchedule } from './manage.ts'

/** Layers that contain the schedule's file and apply to its runs. */
export interface SourceAsked extends Pick<LayerSelection, 'role' | 'repo_dir' | 'base_dir'> {
  /** Name of the schedule's file without `.md`; defaults to the schedule's name. */
  readonly file?: string | undefined
}

type SourceLayers = Pick<ScheduleSource, 'role' | 'repo_dir' | 'base_dir' | 'file'>

/** Makes a layer file define this schedule, now and after each edit to it (`PUT …/source`). */
export async function switchOn(
  asker: Asker,
  name: string,
  sourceRequest: SourceAsked & { readonly paused?: boolean | undefined },
  expected: Expected,
  more: { readonly created_by?: string | undefined } = {},
): Promise<Outcome<ShownSchedule, Refusal>> {
  const { world, tenant } = asker
  const { file = name, paused, ...layers } = sourceRequest
  const layerSelection = selection(layers)
  if (!layerSelection.ok) return layerSelection
  const { role, repo_dir, base_dir } = layerSelection.value
  const place: SourceLayers = { ...set({ role, repo_dir, base_dir }), file }
  const located = await entryAt(world, tenant, place)
  if (!located.ok) return located
  const { entry } = located.value
  const request = { ...requestOf(entry, place), paused }
  const read_at = world.clock.now()
  const source = { ...place, key: entry.origin.key, digest: entry.file_digest, read_at }
  return putSchedule(asker, name, request, expected, { ...more, source })
}

/**
 * Returns the schedule updated from its file, or unchanged if the file is temporarily unreadable.
 */
export async function sourceRead(
  world: World,
  tenant: string,
  schedule: Schedule,
): Promise<Schedule> {
  const now = world.clock.now()
  const file = await stateOf(world, tenant, schedule).catch((error: unknown) => {
    const fields = { tenant, schedule: schedule.name, error: String(error) }
    world.log?.write({ level: 'warn', event: 'schedule.source_unread', ...fields })
    return undefined
  })
  return afterRead(schedule, file, now)
}

async function stateOf(world: World, tenant: string, schedule: Schedule): Promise<FileState> {
  const source = schedule.source!
  const located = await entryAt(world, tenant, source)
  if (!located.ok) return { lack: located.error.detail }
  const { entry } = located.value
  const { key } = entry.origin
  const digest = entry.file_digest
  const isSame = digest === source.digest && key === source.key && schedule.pause === null
  if (isSame) return { definition: schedule, key, digest }
  const requested = definitionFrom(requestOf(entry, source), world.clock.now())
  if (!requested.ok) return { lack: requested.error.detail }
  const { when } = requested.value
  if (when.type === 'at' && when.at <= source.read_at) return { lack: 'at: must be in the future' }
  const checked = await checkDefinition(world, tenant, requested.value, undefined)
  if (!checked.ok) return { lack: checked.error.detail }
  return { definition: checked.value, key, digest }
}

const requestOf = ({ request }: ScheduleEntry, { role, repo_dir, base_dir }: SourceLayers) => ({
  ...request,
  ...set({ role, repo_dir, base_dir }),
})

const set = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>

async function entryAt(
  world: World,
  tenant: string,
  { file, ...layers }: SourceLayers,
): Promise<Outcome<{ readonly entry: ScheduleEntry }, Refusal>> {
  const resolved = await resolveLayers(world, tenant, layers)
  if (!resolved.ok) return resolved
  const entry = resolved.value.schedules.find(({ id }) => id === file)
  if (entry) return ok({ entry })
  const path = `.agents/schedules/${file}.md`
  const rejectedFile = resolved.value.records.findLast(
    ({ kind, id, status }) => kind === 'schedule' && id === file && status === 'rejected',
  )
  const problem = rejectedFile?.diagnostics.find(({ severity }) => severity === 'error')
  if (!rejectedFile || !problem)
    return fail(at('/file', `${path} was not found in any of these layers`))
  const where = `${rejectedFile.layer}${rejectedFile.path}${problem.line === null ? '' : `, line ${problem.line}`}`
  return fail(refusal('invalid_request', `${where}: ${problem.message}`, errorsAt(problem.message)))
}

const errorsAt = (message: string) => ({ errors: [{ pointer: '/file', message }] })
