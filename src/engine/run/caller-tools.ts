/**
 * Caller tools: declared with the run and pinned in its first fact, called by the model, performed
 * by the caller. A run that only waits for caller tools parks, as for a person's answer. Each
 * result is one `tool.result` (PROTOCOL.md rule 22c).
 */

import { LIMITS } from '../../core/limits.ts'
import { type Body, isRef, type ToolSpec } from '../../core/message.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import {
  awaitsDecision,
  callerWait,
  effectiveArguments,
  mayProceed,
} from '../../core/run/human-input/approval.ts'
import { awaitsCaller } from '../../core/run/human-input/question.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { RunSpec } from '../../core/run/log/spec.ts'
import { type Call, isStopped, isTerminal, type RunState } from '../../core/run/state/state.ts'
import type { FunctionCall } from '../../core/run/views/view.ts'
import { BUILTINS } from '../../core/tools/builtin/index.ts'
import { unusable } from '../../core/tools/schema-lint.ts'
import { byteLength } from '../../lib/bytes.ts'
import { visible } from '../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { command, readRun } from '../logs/run.ts'
import { type Home, homeOfRun } from '../partition/home.ts'
import { parsePartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { load } from '../tenant/blobs.ts'
import { spillSaid } from '../tenant/media.ts'
import type { RunRequest } from './request.ts'

type CallerInput = Pick<RunRequest, 'instructions' | 'caller_tools'>

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const OURS: ReadonlySet<string> = new Set(BUILTINS.map(({ name }) => name))

/** Rejects names of built-in and server tools, because a name must identify one tool. */
export function callerToolsRefused({ caller_tools = [] }: CallerInput): Refusal | undefined {
  const names = new Set<string>()
  for (const [index, { name, input_schema }] of caller_tools.entries()) {
    const wrong = nameRefused(name, names)
    if (wrong !== undefined) return toolRejection(`/${index}/name`, wrong)
    names.add(name)
    const fault = unusable(input_schema) ?? noObject(input_schema)
    if (fault) return toolRejection(`/${index}/input_schema${fault.pointer}`, fault.message)
  }
  return caller_tools.length > LIMITS.caller_tools
    ? toolRejection('', `at most ${LIMITS.caller_tools} tools`)
    : undefined
}

/**
 * Explains why an arguments schema that is not an object is invalid. Models write arguments as an
 * object, and providers reject other schemas.
 */
const noObject = ({ type = 'object' }: ToolSpec['input_schema']) =>
  type === 'object'
    ? undefined
    : { pointer: '/type', message: 'the arguments schema must have type "object"' }

function nameRefused(name: string, names: ReadonlySet<string>): string | undefined {
  if (!NAME.test(name)) return 'a name must have 1 to 64 characters from A-Z, a-z, 0-9, _, and -'
  if (OURS.has(name) || name.startsWith('mcp__')) return `${name} is the name of a built-in tool`
  return names.has(name) ? `${name} is defined twice` : undefined
}

function toolRejection(pointer: string, message: string): Refusal {
  const at = `/caller_tools${pointer}`
  const errors = [{ pointer: at, message }]
  return refusal('invalid_request', `Invalid caller function: ${message}.`, {
    errors,
  })
}

/** Returns the spec members for the caller's additions; large values are stored by digest. */
export async function addedBy(
  world: World,
  home: Home,
  { instructions = '', caller_tools = [] }: CallerInput,
): Promise<Pick<RunSpec, 'instructions' | 'caller_tools'>> {
  const storeText = (text: string) => spillSaid(world, home, { text, media: [] })
  return {
    ...(instructions.trim() === '' ? {} : { instructions: await storeText(instructions) }),
    ...(caller_tools.length === 0
      ? {}
      : { caller_tools: await storeText(JSON.stringify(caller_tools)) }),
  }
}

export interface CallerResult {
  readonly call: string
  readonly text: string
  /** Whether the caller's tool call failed; absent on success. */
  readonly is_error?: boolean
}

/**
 * Records results of several caller tool calls together, idempotently. Rejects with 409 if a call
 * has another result or awaits approval, or if the run ended before the results arrived.
 */
export async function bringResults(
  world: World,
  partition: string,
  results: readonly CallerResult[],
): Promise<Outcome<Committed, Refusal>> {
  const run = await readRun(world, partition)
  if (!run) return fail(refusal('not_found', 'Run not found.'))
  const home = homeOfRun(parsePartition(partition).tenant, run.state.spec)
  const facts: Extract<RunFact, { type: 'tool.result' }>[] = []
  for (const { call, text, is_error = false } of results) {
    const storedCall = run.state.calls.get(call)
    if (storedCall?.mode !== 'caller') return fail(refusal('not_found', `Call ${call} not found.`))
    if (awaitsDecision(storedCall)) {
      return fail(refusal('conflict', `The call ${call} is waiting for approval.`))
    }
    const visibleText = visible(text).text
    if (byteLength(visibleText) > LIMITS.tool_result_bytes) {
      const most = `at most ${LIMITS.tool_result_bytes} bytes`
      return fail(refusal('too_large', `The result of ${call} can have ${most}.`))
    }
    const body = await spillSaid(world, home, { text: visibleText, media: [] })
    const { tool } = storedCall
    const status = is_error ? 'error' : 'ok'
    facts.push({ type: 'tool.result', call, tool, status, text: body, duration_ms: 0 })
  }
  const fresh = facts.filter(({ call }) => awaitsCaller(run.state.calls.get(call)!))
  const after = isTerminal(run.state) || fresh.length === 0 ? run : undefined
  const read = after ?? (await command(world, partition, fresh))
  if (!read) return fail(refusal('not_found', 'Run not found.'))
  const resultOf = ({ call }: Pick<CallerResult, 'call'>) => read.state.calls.get(call)?.result
  const differs = facts.find((fact) => {
    const result = resultOf(fact)
    return result?.is_error !== (fact.status === 'error') || !same(result.text, fact.text)
  })
  if (differs === undefined) return ok(read)
  const has = resultOf(differs) != null
  return has
    ? fail(refusal('conflict', `The call ${differs.call} already has a different result.`))
    : fail(refusal('run_ended', 'The run has ended or is being cancelled.'))
}

const same = (left: Body, right: Body): boolean =>
  isRef(left) && isRef(right) ? left.digest === right.digest : left === right

/** Returns the calls that the caller must currently perform. */
export const openCallerCalls = ({ calls }: RunState): Call[] =>
  [...calls.values()].filter(awaitsCaller)

/**
 * Returns whether calls await the caller. They are approved or need no approval, and the run is
 * neither ended nor being cancelled.
 */
export const awaitsFunctions = (state: RunState): boolean => pending(state).length > 0

const pending = (state: RunState): Call[] =>
  isTerminal(state) || state.cancel ? [] : openCallerCalls(state).filter(mayProceed)

/** Returns the open caller tool calls with their full arguments. */
export function functionCalls(
  world: World,
  tenant: string,
  state: RunState,
): Promise<FunctionCall[]> {
  const home = homeOfRun(tenant, state.spec)
  const { waiting } = state
  const expires_at = isStopped(waiting) ? iso(waiting.since + callerWait(state)) : null
  return Promise.all(
    pending(state).map(async (call) => {
      const argumentsText = await load(world, home, effectiveArguments(call))
      return { call: call.id, name: call.tool, arguments: parsed(argumentsText), expires_at }
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
