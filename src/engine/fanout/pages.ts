/**
 * Accepts a fan-out's tasks by page. The page number identifies a page, so pages are idempotent and
 * may arrive in any order. The seal gives the page count and is accepted after all pages have
 * arrived.
 */

import type { FanoutExtended, FanoutFact } from '../../core/fanout/facts.ts'
import { missingPages, pageOf, takesPages, tasksIn } from '../../core/fanout/open.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { digest } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { fanoutLogType, readFanout } from '../logs/fanout.ts'
import { commandLog } from '../partition/append.ts'
import { homeOfFanout } from '../partition/home.ts'
import { parsePartition } from '../partition/keys.ts'
import { type Fanout, plansOf } from './accept.ts'
import { fanoutRoom, readTasks } from './content.ts'
import { judgeTasks } from './judge.ts'
import type { TaskRequest } from './request.ts'
import { storeTasks } from './tasks.ts'

export interface PageRequest {
  readonly page: number
  readonly tasks: readonly TaskRequest[]
}
export interface AddedPage {
  readonly fanout: Fanout
  /** Whether the same page was already received. */
  readonly replayed: boolean
}

/** Adds a page to a fan-out; returns undefined if the fan-out does not exist. */
export async function addPage(
  world: World,
  partition: string,
  { page, tasks }: PageRequest,
): Promise<Outcome<AddedPage, Refusal> | undefined> {
  const fanout = await readFanout(world, partition)
  if (!fanout) return undefined
  const request = digest(tasks)
  const earlierAnswer = cameBefore(fanout, page, request)
  if (earlierAnswer) return earlierAnswer
  const rejection = pageRefused(fanout.state, page, tasks.length)
  if (rejection) return fail(rejection)
  const { tenant } = parsePartition(partition)
  const { strict, on_duplicate } = fanout.state.spec!
  const read = await readTasks(world, tenant, tasks, fanoutRoom())
  if (!read.ok) return read
  const verdict = await judgeTasks(world, tenant, { tasks: read.value, strict, on_duplicate })
  if (!verdict.ok) return verdict
  const home = homeOfFanout(tenant, fanout.state.spec)
  const plans = await plansOf(world, home, verdict.value.tasks)
  const fact: FanoutExtended = {
    type: 'fanout.extended',
    page,
    count: plans.length,
    tasks: await storeTasks(world, home, plans),
    request,
  }
  const extended = await command(world, partition, fact)
  if (!extended) return undefined
  const mine = pageOf(extended.state, page)
  if (mine?.page?.request === request) return ok({ fanout: extended, replayed: false })
  return (
    cameBefore(extended, page, request) ?? fail(lostPageRefusal(extended.state, page, tasks.length))
  )
}

/**
 * Handles a repeated page number: replays the response for the same content and rejects other
 * content.
 */
function cameBefore(
  fanout: Fanout,
  page: number,
  request: string,
): Outcome<AddedPage, Refusal> | undefined {
  const existingPage = pageOf(fanout.state, page)?.page
  if (!existingPage) return undefined
  if (existingPage.request === request) return ok({ fanout, replayed: true })
  const errors = [{ pointer: '/page', message: 'already added with different tasks' }]
  return fail(
    refusal('conflict', `Page ${page} was already added with different tasks.`, { errors }),
  )
}

function pageRefused(state: FanoutState, page: number, count: number): Refusal | undefined {
  if (!takesPages(state)) return closed(state)
  if (page >= LIMITS.fanout_pages) {
    const message = `must be from 0 to ${LIMITS.fanout_pages - 1}`
    return refusal('invalid_request', `page: ${message}.`, {
      errors: [{ pointer: '/page', message }],
    })
  }
  const most = LIMITS.tasks_per_fanout
  if (tasksIn(state) + count <= most) return undefined
  const message = `a fan-out can have at most ${most} tasks; ${tasksIn(state)} have already been added`
  return refusal('invalid_request', `tasks: ${message}.`, {
    errors: [{ pointer: '/tasks', message }],
  })
}

const lostPageRefusal = (state: FanoutState, page: number, count: number): Refusal =>
  pageRefused(state, page, count) ??
  refusal('unavailable', 'The page could not be stored; retry the request.')

function closed({ spec, status, sealed, cancel, ended_at }: FanoutState): Refusal {
  if (!spec?.open)
    return refusal('conflict', 'The fan-out was created with all its tasks and accepts no pages.')
  if (ended_at !== null)
    return refusal('conflict', `The fan-out has ended (${status}); create a new one.`)
  if (cancel)
    return refusal('conflict', 'The fan-out is being cancelled and accepts no more tasks.')
  return refusal(
    'conflict',
    sealed
      ? 'The fan-out is sealed and accepts no more tasks.'
      : 'The fan-out accepts no more tasks.',
  )
}

/** Seals a fan-out; returns undefined if the fan-out does not exist. */
export async function sealFanout(
  world: World,
  partition: string,
  pages: number,
): Promise<Outcome<AddedPage, Refusal> | undefined> {
  const fanout = await readFanout(world, partition)
  if (!fanout) return undefined
  const earlierAnswer = sealedBefore(fanout, pages)
  if (earlierAnswer) return earlierAnswer
  const rejection = sealRefused(fanout.state, pages)
  if (rejection) return fail(rejection)
  const tasks = tasksIn(fanout.state)
  const after = await command(world, partition, { type: 'fanout.sealed', pages, tasks })
  if (!after) return undefined
  if (after.state.sealed && after.state.tasks.length === pages) {
    return ok({ fanout: after, replayed: false })
  }
  return fail(
    sealRefused(after.state, pages) ??
      refusal('unavailable', 'The seal could not be stored; retry the request.'),
  )
}

function sealedBefore(fanout: Fanout, pages: number): Outcome<AddedPage, Refusal> | undefined {
  const { sealed, tasks } = fanout.state
  if (!sealed) return undefined
  if (tasks.length === pages) return ok({ fanout, replayed: true })
  return fail(refusal('conflict', `The fan-out was already sealed with ${tasks.length} pages.`))
}

/** Maximum number of missing pages named in a rejection. */
const MAX_NAMED = 20

function sealRefused(state: FanoutState, pages: number): Refusal | undefined {
  if (!takesPages(state)) return closed(state)
  const missing = missingPages(state, pages)
  if (missing.length > 0) {
    const firstMissing = missing.slice(0, MAX_NAMED).join(', ')
    const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
    return refusal('conflict', `These pages have not arrived: ${firstMissing}${more}.`, {
      extra: { missing_pages: missing.slice(0, MAX_NAMED) },
    })
  }
  if (state.tasks.length === pages) return undefined
  return refusal(
    'conflict',
    `${state.tasks.length} pages have arrived; the request expects ${pages}.`,
  )
}

const command = (world: World, partition: string, fact: FanoutFact) =>
  commandLog(world, fanoutLogType, partition, [fact])
