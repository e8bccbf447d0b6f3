/**
 * Records a person's decision on an approval. The first decision wins, and retries are idempotent.
 * The decision is a fact of the requesting run, identified by the approval's ID, because lists may
 * lag and reads by ID do not (PROTOCOL.md rule 46).
 */

import type { Body } from '../../core/message.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { argsHash, askingRun } from '../../core/run/human-input/approval.ts'
import { approvalsOf } from '../../core/run/human-input/pause.ts'
import type { ApprovalDecided } from '../../core/run/log/approval-facts.ts'
import type { AskedApproval, Call } from '../../core/run/state/state.ts'
import { isTerminal } from '../../core/run/state/state.ts'
import { pinnedName } from '../../core/tools/builtin/sessions-spawn.ts'
import { givenOf } from '../../core/tools/builtin-arguments.ts'
import { invalid, parseArguments } from '../../core/tools/plan.ts'
import { rulingOf } from '../../core/tools/rules.ts'
import { canonical } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { type ApprovalView, approvalView } from '../logs/approval-rows.ts'
import { command, readRun } from '../logs/run.ts'
import { homeOfRun } from '../partition/home.ts'
import { runPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { audit } from '../tenant/audit.ts'
import { load, spill } from '../tenant/blobs.ts'
import { readPolicy } from '../tenant/policy.ts'
import { pinOf } from './effects/context.ts'

export interface DecisionRequest {
  readonly decision: 'approve' | 'deny'
  readonly reason?: string | undefined
  /** Arguments that replace the model's arguments on approval. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  /** Hash of the arguments that the person saw. A decision with a different hash is rejected. */
  readonly args_hash?: string | undefined
}

interface LocatedApproval {
  readonly run: Committed
  readonly call: Call
  readonly asked: AskedApproval
}

/** Reads an approval with its full arguments; returns undefined if the approval does not exist. */
export async function readApproval(
  world: World,
  tenant: string,
  id: string,
): Promise<ApprovalView | undefined> {
  const located = await find(world, tenant, id)
  return located && fullView(world, tenant, located)
}

export async function decideApproval(
  world: World,
  tenant: string,
  id: string,
  request: DecisionRequest & { readonly by: string },
): Promise<Outcome<ApprovalView | undefined, Refusal>> {
  const located = await find(world, tenant, id)
  if (!located) return ok(undefined)
  // Canonical text makes arguments equal regardless of their key order.
  const newArguments = request.arguments === undefined ? undefined : canonical(request.arguments)
  if (newArguments !== undefined && request.decision === 'deny') {
    const errors = [{ pointer: '/arguments', message: 'only an approval can change the arguments' }]
    const detail = 'Only an approval can change the arguments.'
    return fail(refusal('invalid_request', detail, { errors }))
  }
  const fact: ApprovalDecided = {
    type: 'approval.decided',
    id,
    call: located.call.id,
    decision: request.decision,
    by: request.by,
    reason: request.reason ?? null,
    ...(newArguments === undefined
      ? {}
      : { arguments: await spill(world, homeOfRun(tenant, located.run.state.spec), newArguments) }),
  }
  const over = overNow(world, located, fact)
  if (over === 'same') return decided(world, tenant, located, request)
  if (over) return fail(over)
  const rejection = await refuse(world, tenant, located, request, newArguments)
  if (rejection) return fail(rejection)
  await command(world, runPartition(tenant, located.run.state.spec!.id), [fact])
  const after = (await find(world, tenant, id)) ?? located
  const now = overNow(world, after, fact)
  if (now === 'same') return decided(world, tenant, after, request)
  return fail(
    now ?? refusal('conflict', 'The run has continued since then; read the approval again.'),
  )
}

/**
 * Returns the recorded decision. A repeated decision also writes the audit entry, in case the first
 * request crashed before that.
 */
async function decided(
  world: World,
  tenant: string,
  located: LocatedApproval,
  { by, decision, reason }: DecisionRequest & { readonly by: string },
): Promise<Outcome<ApprovalView, Refusal>> {
  const { asked: approval } = located
  const { tool } = located.call
  const recorded = approval.decision
  const action = decision === 'approve' ? 'approve' : 'deny'
  const auditReason = recorded?.reason ?? reason
  const detail = `${tool} of ${located.run.state.spec!.id}${auditReason == null ? '' : `: ${auditReason}`}`
  const entry = { kind: 'approval', name: approval.id, action, by: recorded?.by ?? by } as const
  await audit(world, tenant, { ...entry, number: 0, detail }, 'decision')
  return ok(await fullView(world, tenant, located))
}

async function find(
  world: World,
  tenant: string,
  id: string,
): Promise<LocatedApproval | undefined> {
  const run = await readRun(world, runPartition(tenant, askingRun(id)))
  for (const call of run?.state.calls.values() ?? []) {
    const match = approvalsOf(call).find(({ asked: approval }) => approval.id === id)
    if (run && match) return { run, call, asked: match.asked }
  }
  return undefined
}

/** Checks whether an approval was decided, with either outcome, or has expired. */
function overNow(
  world: World,
  { run, call, asked: approval }: LocatedApproval,
  fact: ApprovalDecided,
): Refusal | 'same' | undefined {
  const { decision, expires_at } = approval
  if (decision === null) {
    const late = isTerminal(run.state) || run.state.cancel !== null
    if (!late && call.result === null && world.clock.now() < expires_at) return undefined
    return refusal('gone', 'The approval has expired, or its run has ended.')
  }
  if (decision.decision === 'expired') return refusal('gone', 'The approval has expired.')
  const previousHash = decision.arguments === null ? null : argsHash(decision.arguments)
  const now = fact.arguments === undefined ? null : argsHash(fact.arguments)
  if (decision.decision === fact.decision && previousHash === now) return 'same'
  return refusal('conflict', `The approval was already decided: ${decision.decision}.`, {
    extra: { decision: decision.decision },
  })
}

async function refuse(
  world: World,
  tenant: string,
  { run, call, asked: approval }: LocatedApproval,
  request: DecisionRequest,
  newArguments: string | undefined,
): Promise<Refusal | undefined> {
  if (request.args_hash !== undefined && request.args_hash !== approval.args_hash) {
    return refusal(
      'args_changed',
      'The arguments have changed since you read them; read the approval again.',
    )
  }
  if (request.decision === 'deny') return undefined
  const pin = await pinOf({ world, tenant, state: run.state })
  const tool = pinnedName(call.tool)
  const { policy } = await readPolicy(world, tenant)
  const text =
    newArguments ?? (await load(world, homeOfRun(tenant, run.state.spec), call.arguments))
  const parsedArgs = parseArguments(text)
  const toolArgs = typeof parsedArgs === 'string' ? undefined : givenOf(pin, tool, parsedArgs)
  const ruling = rulingOf(tool, pin, policy, () => toolArgs)
  if (ruling?.rule === 'deny') return refusal('conflict', `${ruling.by} now denies ${tool}.`)
  if (newArguments === undefined) return undefined
  if (approval.id !== call.asked?.id) {
    const message = 'the call is in progress; its server accepts only yes or no'
    const errors = [{ pointer: '/arguments', message }]
    return refusal('invalid_request', 'The arguments can no longer be changed.', { errors })
  }
  const parsed = parseArguments(newArguments)
  const wrong = typeof parsed === 'string' ? parsed : invalid(pin, tool, parsed)
  if (wrong === undefined) return undefined
  const errors = [{ pointer: '/arguments', message: wrong }]
  return refusal('invalid_request', `Invalid arguments for the tool: ${wrong}`, { errors })
}

async function fullView(
  world: World,
  tenant: string,
  { run, call, asked: { id } }: LocatedApproval,
) {
  const bodies = [call.arguments, call.asked?.decision?.arguments ?? '']
  const texts = await Promise.all(
    bodies.map((body) => load(world, homeOfRun(tenant, run.state.spec), body)),
  )
  const text = (body: Body) => texts[body === call.arguments ? 0 : 1]!
  return approvalView(run.state, { id, call }, text)
}
