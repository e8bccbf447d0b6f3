/** Performs a call of a built-in or MCP tool, with arguments that are already validated. */

import { secretsOf } from '../../../../core/config/server/secret-binding.ts'
import { LIMITS } from '../../../../core/limits.ts'
import { effectiveArguments } from '../../../../core/run/human-input/approval.ts'
import { mayPause } from '../../../../core/run/human-input/pause.ts'
import { isAskable } from '../../../../core/run/human-input/reply.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import type { Pin, Route } from '../../../../core/run/log/pin.ts'
import type { Call } from '../../../../core/run/state/state.ts'
import { fileEdit } from '../../../../core/tools/builtin/file-edit.ts'
import { givenOf } from '../../../../core/tools/builtin-arguments.ts'
import { invalid, parseArguments } from '../../../../core/tools/plan.ts'
import { MAY_HAVE_HAPPENED, REPEATABLE } from '../../../../core/tools/unknown-outcome.ts'
import { callSpan, traceHeaders, traceparent } from '../../../../core/trace/context.ts'
import { assert } from '../../../../lib/assert.ts'
import { byteLength, cut } from '../../../../lib/bytes.ts'
import { sha256 } from '../../../../lib/digest.ts'
import { roundedNumbers, withDigits } from '../../../../lib/exact-json.ts'
import { describeHidden, visible } from '../../../../lib/invisible-characters.ts'
import { getOwn } from '../../../../lib/own-member.ts'
import type { ToolAsks } from '../../../../ports/world.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { runPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { load } from '../../../tenant/blobs.ts'
import { spillSaid } from '../../../tenant/media.ts'
import { mayBegin, TenantHalted } from '../../../tenant/state.ts'
import type { ToolAnswer } from '../../../tools/answer.ts'
import { bad } from '../../../tools/answer.ts'
import { anyLeaks, blocked, egressFilter } from '../../../tools/egress.ts'
import { builtin } from '../../../tools/index.ts'
import { workingFolder } from '../../../tools/paths.ts'
import { isSharedAttachment } from '../../../tools/shared-attachments.ts'
import type { Caller } from '../../../tools/tool.ts'
import { memoryOfRun } from '../../memory.ts'
import { sendMessage } from '../../messages.ts'
import { performCancel } from '../child/cancel.ts'
import type { Context } from '../context.ts'
import { pinOf } from '../context.ts'
import { onBehalf } from '../on-behalf.ts'
import { rulingNow } from '../ruling.ts'
import { answersOf, describeReply, paused } from './call-pause.ts'

export async function performTool(context: Context, id: string): Promise<EffectResult> {
  const { world, tenant, state } = context
  const call = state.calls.get(id)
  assert(call, `call ${id} not found`)
  const began = world.clock.monotonic()
  const began_at = world.clock.now()
  const pin = await pinOf(context)
  const route = getOwn(pin.routes, call.tool)
  assert(route && 'tool' in route, `${call.tool} has no route`)
  const argumentsText = await load(world, homeOfRun(tenant, state.spec), effectiveArguments(call))
  const parsed = parseArguments(argumentsText)
  assert(typeof parsed !== 'string', 'unchecked arguments reached the tool call')
  const args = givenOf(pin, call.tool, parsed)
  const rejection = await refusedNow(context, pin, call, args)
  const answer =
    rejection ??
    (route.kind === 'mcp'
      ? await remote(context, route, call, withDigits(args, roundedNumbers(argumentsText)))
      : ((await haltedAnswer(context, call)) ??
        (await builtin(callerOf(context, pin, call), route.tool, args, call.write))))
  const duration_ms = Math.round(world.clock.monotonic() - began)
  if ('requests' in answer) {
    assert(route.kind === 'mcp', 'servers ask')
    return { facts: [await paused(context, route.server, call, { ...answer, duration_ms })] }
  }
  const changed = !rejection && call.asked?.decision?.arguments != null
  const repairNote = call.mended === undefined ? '' : `[interpreted as: ${call.mended}]\n`
  const note = changed ? `[approved with changed arguments: ${argumentsText}]\n` : repairNote
  const visibleText = visible(answer.text)
  const hidden = visibleText.hidden
    ? `[${describeHidden(visibleText.hidden)} ${WRITTEN_OUT}]\n`
    : ''
  const fact: RunFact = {
    type: 'tool.result',
    call: id,
    tool: call.tool,
    status: answer.status,
    text: await spillSaid(world, homeOfRun(tenant, state.spec), {
      text: truncateResult(note + hidden + visibleText.text),
      media: answer.media ?? [],
    }),
    // A rejected call never started.
    ...(rejection ? { duration_ms: 0 } : { duration_ms, began_at }),
    ...(answer.attachments ? { attachments: answer.attachments } : {}),
    ...(answer.found?.length ? { found: answer.found } : {}),
  }
  return { facts: [...activated(id, answer), fact] }
}

/**
 * Keeps a call from beginning while its tenant is not active. A `once` call, whose intent another
 * worker could not take over, is answered as not made; other calls stay pending.
 */
async function haltedAnswer(
  { world, tenant }: Context,
  { mode }: Call,
): Promise<ToolAnswer | undefined> {
  if (await mayBegin(world, tenant)) return undefined
  if (mode === 'once') return bad(NOT_MADE)
  throw new TenantHalted()
}

const NOT_MADE = 'stopped: the tenant was paused before the call was sent; it was not made.'

/** Note for people and the model about escaped characters, because both can read the event. */
const WRITTEN_OUT = `escaped as \\u{…}; ${fileEdit.name} accepts this form`

/**
 * Returns the facts of opened skills and task lists. Opening a skill's instructions activates the
 * skill, unlike opening its files. A new task list is stored.
 */
function activated(call: string, { opened, todos }: ToolAnswer): RunFact[] {
  if (todos !== undefined) return [{ type: 'todos.updated', call, todos }]
  if (opened === undefined) return []
  const { id, file_digest, args } = opened
  const of = { skill: id, by: 'model', file_digest, call, args, text: null } as const
  return [{ type: 'skill.activated', ...of }]
}

/** Returns the caller context of a tool call: the run, its permissions, and its working folder. */
function callerOf(context: Context, pin: Pin, { id }: Call): Caller {
  const { world, tenant, state } = context
  return {
    world,
    tenant,
    state,
    pin,
    call: id,
    signal: context.signal,
    place: workingFolder(tenant, state.spec!),
    ...memoryOfRun(state, pin),
    handed: (name) => isSharedAttachment(world, tenant, state, name),
    stop: (child) => performCancel(context, child),
    send: (run, message) =>
      sendMessage(world, runPartition(tenant, run), message, { key: id, by: 'parent' }),
  }
}

/** Checks a call against the current policy, and validates arguments that a person changed. */
async function refusedNow(
  context: Context,
  pin: Pin,
  call: Call,
  args: Record<string, unknown>,
): Promise<ToolAnswer | undefined> {
  const denial = await rulingNow(context, pin, call, args)
  if (denial !== undefined) return bad(denial)
  const wrong = call.asked ? invalid(pin, call.tool, args) : undefined
  return wrong === undefined ? undefined : bad(`invalid_arguments: ${wrong}`)
}

/** Truncates a long tool result, with a marker that contains the full text's digest. */
function truncateResult(text: string): string {
  const bytes = byteLength(text)
  if (bytes <= LIMITS.tool_result_bytes) return text
  const head = cut(text, LIMITS.tool_result_bytes)
  return `${head}\n[cut: ${bytes} bytes total, sha256 ${sha256(text)}]`
}

async function remote(
  context: Context,
  route: Extract<Route, { kind: 'mcp' }>,
  call: Call,
  args: Record<string, unknown>,
): Promise<ToolAnswer | ToolAsks> {
  const { world, tenant, signal, startDeadline } = context
  const pin = await pinOf(context)
  const server = getOwn(pin.servers, route.server)
  assert(server, `the pin has no server ${route.server}`)
  const leaks = await egressFilter(context, secretsOf(server))
  if (anyLeaks(args, leaks)) {
    const sender = { world, tenant, state: context.state, call: call.id }
    return bad(await blocked(sender, call.tool))
  }
  // While the policy was read, the run may have been cancelled. If this process was suspended,
  // another worker may have taken over the run.
  const late = route.mode === 'once' && world.clock.monotonic() >= startDeadline
  if (late || signal.aborted) return bad('stopped: the call was cancelled before it was sent.')
  const halted = await haltedAnswer(context, call)
  if (halted) return halted
  const outcome = await world.tools.call(tenant, onBehalf(server, context.state.spec), {
    tool: route.tool,
    arguments: args,
    key: call.id,
    signal,
    ...traceHeaders(traceparent(context.state.spec!, callSpan(context.state.spec!.id, call.id))),
    mayAsk: mayPause(context.state, call) ? isAskable : undefined,
    answers: await answersOf(context, call),
  })
  if (outcome.ok) {
    const { is_error, text, media = [], asks } = outcome.value
    if (asks) return asks
    // Media that contained a secret were redacted to zero bytes.
    const included = media.filter(({ data }) => data.length > 0)
    const omittedCount = media.length - included.length
    const note =
      omittedCount === 0
        ? ''
        : `
[${omittedCount} of these files contain a secret and are not included]`
    const replyNote = describeReply(call)
    return { status: is_error ? 'error' : 'ok', text: replyNote + text + note, media: included }
  }
  const { code, message } = outcome.error
  if (code === 'unsent') return bad(message)
  const isOnce = route.mode === 'once'
  const words = isOnce ? MAY_HAVE_HAPPENED : REPEATABLE
  return { status: isOnce ? 'unknown' : 'error', text: `${message.replace(/\.$/, '')}. ${words}` }
}
