/**
 * The routes that a short-lived token opens: those that say so (`Route.subject`), for its one run,
 * session or approval. Any other id is not there, whether it is or not.
 */

import type { SubjectKind, TokenAction, TokenRights } from '../core/token.ts'
import { runLogType } from '../engine/logs/run.ts'
import { runPartition } from '../engine/partition/keys.ts'
import { readLogCached } from '../engine/partition/log.ts'
import { isId } from '../lib/id.ts'
import type { World } from '../ports/world.ts'
import { refuse } from './problem.ts'

export interface Subject {
  readonly kind: SubjectKind
  /** For who accepts server-sent events it is `stream`, where that is said. */
  readonly action: TokenAction
  readonly streams?: true
}

/** A request whose path has an id. */
interface Sought {
  readonly req: {
    header(name: 'accept'): string | undefined
    param(name: 'id'): string | undefined
  }
}

export async function checkToken(
  world: World,
  { req }: Sought,
  subject: Subject | undefined,
  { tenant, token }: { readonly tenant: string; readonly token: TokenRights },
): Promise<void> {
  const opens =
    subject?.kind === token.kind || (token.kind === 'session' && subject?.kind === 'run')
  if (!subject || !opens) throw refuse('insufficient_scope', elsewhere(token))
  const streams = subject.streams && req.header('accept')?.includes('text/event-stream') === true
  const action = streams ? 'stream' : subject.action
  if (!token.actions.includes(action)) {
    throw refuse('insufficient_scope', `The token does not allow to ${action}.`)
  }
  const id = req.param('id') ?? ''
  if (id === token.subject) return
  const isOfSession = subject.kind === 'run' && token.kind === 'session'
  if (isOfSession && (await isRunOf(world, tenant, id, token.subject))) return
  throw refuse('not_found', `There is no such ${subject.kind}.`)
}

const elsewhere = ({ actions, subject }: TokenRights): string =>
  `The token allows to ${actions.join(' and ')} ${subject}, and nothing else.`

async function isRunOf(
  world: World,
  tenant: string,
  id: string,
  session: string,
): Promise<boolean> {
  if (!isId('run', id)) return false
  const run = await readLogCached(world, runLogType, runPartition(tenant, id))
  const { spec } = run?.state ?? {}
  return spec?.session_id === session || spec?.owner_session === session
}
