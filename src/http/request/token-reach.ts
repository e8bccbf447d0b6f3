/**
 * Defines the routes that accept tokens. A token bound to a resource can use a route of this table
 * if the ID in the path belongs to the resource. Other IDs are not found, and lists contain only
 * items of the resource. A token for the tenant can use every GET that its scopes allow. New routes
 * reject bound tokens until they are listed here.
 */

import { askingRun } from '../../core/run/human-input/approval.ts'
import {
  type BoundKind,
  SUBJECT_PREFIX,
  type TokenBinding,
  type TokenKind,
} from '../../core/token.ts'
import { isFanoutOfSubject, isRunOfSubject, subjectExists } from '../../engine/run/token-subject.ts'
import type { Principal } from '../../engine/tenant/api-keys.ts'
import { isId } from '../../lib/id.ts'
import type { World } from '../../ports/world.ts'
import { refuse } from './problem.ts'

interface Reach {
  /**
   * Kind of the resource whose ID is in the path; `handler` means that the route handler checks the
   * token's subject.
   */
  readonly by: BoundKind | 'handler'
  readonly kinds: readonly BoundKind[]
}

const RUN: Reach = { by: 'run', kinds: ['run', 'session', 'fanout'] }
const FANOUT: Reach = { by: 'fanout', kinds: ['fanout'] }
const SESSION: Reach = { by: 'session', kinds: ['session'] }
const APPROVAL: Reach = { by: 'approval', kinds: ['run', 'session', 'fanout', 'approval'] }
const handled = (...kinds: BoundKind[]): Reach => ({ by: 'handler', kinds })

/** Routes that bound tokens can use, by route ID. */
export const TOKEN_REACH: Readonly<Record<string, Reach>> = {
  getRun: RUN,
  getRunConfig: RUN,
  getRunTree: RUN,
  listRunChildren: RUN,
  listRunEvents: RUN,
  getRunTranscript: RUN,
  getRunMedia: RUN,
  getRunText: RUN,
  getRunInput: RUN,
  cancelRun: RUN,
  cancelRunChildren: RUN,
  retryRun: RUN,
  sendRunMessage: RUN,
  answerFunctionCall: RUN,
  listRuns: handled('run', 'session'),
  createRun: handled('session'),
  runAgUi: handled('session'),
  getFanout: FANOUT,
  listFanoutTasks: FANOUT,
  listFanoutEvents: FANOUT,
  addFanoutTasks: FANOUT,
  sealFanout: FANOUT,
  cancelFanout: FANOUT,
  listFanouts: handled('fanout'),
  getSession: SESSION,
  listSessionMessages: SESSION,
  listSessionRuns: SESSION,
  exportSession: SESSION,
  updateSession: SESSION,
  listSessions: handled('session'),
  getApproval: APPROVAL,
  decideApproval: APPROVAL,
  decideApprovals: handled('run', 'session', 'fanout', 'approval'),
  listApprovals: handled('run', 'session', 'fanout', 'approval'),
  showAccessLink: handled('run', 'approval'),
  decideByAccessLink: handled('approval'),
}

const NAMES: Readonly<Record<BoundKind, string>> = {
  run: 'Run',
  session: 'Session',
  fanout: 'Fan-out',
  approval: 'Approval',
}

/** Request to a route, with the ID in the request's path. */
interface RequestTarget {
  readonly route: string
  readonly method: string
  readonly id: string
}

/** Rejects a request if the token must not use its route or the ID in its path. */
export async function checkReach(
  world: World,
  { route, method, id }: RequestTarget,
  { tenant, token }: Principal,
): Promise<void> {
  if (!token) return
  if (token.kind === 'tenant') {
    if (method === 'get') return
    throw refuse('insufficient_scope', 'The token is read-only and allows only GET.')
  }
  const reach = Object.hasOwn(TOKEN_REACH, route) ? TOKEN_REACH[route] : undefined
  if (!reach?.kinds.includes(token.kind)) throw elsewhere(token)
  if (reach.by === 'handler') return
  if (await lies(world, tenant, token, reach.by, id)) return
  throw refuse('not_found', `${NAMES[reach.by]} not found.`)
}

const elsewhere = ({ kind, subject }: TokenBinding) =>
  refuse('insufficient_scope', `The token is for ${subject}; ${WITHIN[kind as BoundKind]}.`)

const WITHIN: Readonly<Record<BoundKind, string>> = {
  run: 'it grants access only to this run and its descendants',
  session: 'it grants access only to this session, its runs, and their descendants',
  fanout: 'it grants access only to this fan-out, its runs, and their descendants',
  approval: 'it grants access only to this approval',
}

async function lies(
  world: World,
  tenant: string,
  token: TokenBinding,
  by: BoundKind,
  id: string,
): Promise<boolean> {
  const { kind, subject } = token
  if (by === 'run') return isId('run', id) && isRunOfSubject(world, tenant, token, id)
  if (by === 'fanout') return isId('fan', id) && isFanoutOfSubject(world, tenant, token, id)
  if (by === 'session' || kind === 'approval') return id === subject
  return isId('apr', id) && isRunOfSubject(world, tenant, token, askingRun(id))
}

/** Returns whether a request with this token may see the approval; a key sees all of its tenant. */
export const isApprovalWithin = async (
  world: World,
  { tenant, token }: Principal,
  id: string,
): Promise<boolean> => token === undefined || lies(world, tenant, token, 'approval', id)

/** Rejects a run that would start outside of the token's session. */
export function withinToken({ token }: Principal, session: string | undefined): void {
  if (!token || session === token.subject) return
  if (session !== undefined) throw refuse('not_found', 'Session not found.')
  const detail = `The token is for ${token.subject}; pass it as \`session_id\`.`
  throw refuse('insufficient_scope', detail)
}

/** Rejects the creation of a token for a subject that the tenant does not have. */
export async function checkSubject(
  world: World,
  tenant: string,
  kind: TokenKind,
  subject: string,
): Promise<void> {
  if (kind === 'tenant') return
  const exists =
    isId(SUBJECT_PREFIX[kind], subject) && (await subjectExists(world, tenant, kind, subject))
  if (!exists) throw refuse('not_found', `${NAMES[kind]} not found.`)
}
