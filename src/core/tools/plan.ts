/**
 * Plan for each tool call of an answer, fixed when the answer arrives. Arguments are parsed and
 * checked against the pinned schema before any call runs. Malformed arguments are returned to the
 * model as an error, never treated as `{}`.
 */

import { byteLength } from '../../lib/bytes.ts'
import type { JsonBounds } from '../../lib/json.ts'
import { readJson } from '../../lib/json.ts'
import { getOwn } from '../../lib/own-member.ts'
import { suggestName } from '../config/layer/reasons.ts'
import { LIMITS } from '../limits.ts'
import { LOOP_REFUSAL } from '../run/decide/looping.ts'
import type { CallPlan } from '../run/log/facts.ts'
import type { Pin } from '../run/log/pin.ts'
import { questionsOf, UNATTENDED } from './builtin/ask-user.ts'
import { isSpawn, NESTED_SPAWN, pinnedName, spawnParameters } from './builtin/sessions-spawn.ts'
import { givenOf } from './builtin-arguments.ts'
import { deniedText, unattendedText } from './rules.ts'
import type { Ruling } from './ruling.ts'
import { schemaError } from './schema.ts'
import { exampleOf } from './schema-example.ts'

export interface AskedCall {
  readonly id: string
  readonly tool: string
  /** Call arguments as JSON text, as the model wrote them or as repaired. */
  readonly arguments: string
  readonly mended?: string | undefined
  /** Parsed call arguments, if they are known to match the schema. */
  readonly given?: Readonly<Record<string, unknown>>
}
/**
 * Function that returns the call's arguments under Strata's names. Evaluated lazily, because most
 * rules do not need them.
 */
type GivenLater = () => Readonly<Record<string, unknown>> | undefined

export interface PlanContext {
  readonly pin: Pin
  /** Whether the run may start subagents at all. */
  readonly mayNest: boolean
  /**
   * Returns the rules' verdict on a tool call: deny, or require approval. Returns undefined if the
   * call is allowed.
   */
  readonly ruling?: (tool: string, args: GivenLater) => Ruling | undefined
  /** Whether no person is available. If so, calls that require approval are rejected. */
  readonly unattended?: boolean
  /** Whether a tool was already rejected with the same message, ignoring numbers. */
  readonly refusedBefore?: (tool: string, refusal: string) => boolean
  /** Returns a call's position in a row of identical calls. */
  readonly inARow?: (call: AskedCall) => number
  /** Number of tool calls that were dropped from the same answer. */
  readonly dropped?: number | undefined
  /** Number of additional subagents that the run may start. */
  readonly childrenLeft: number
  /** Whether the answer reached its output token limit. If so, its last call may be truncated. */
  readonly isCut?: boolean
}

/** Limits on the arguments of a tool call. */
export const ARGUMENTS: JsonBounds = { depth: 100, values: LIMITS.json_values }

export function planCalls(calls: readonly AskedCall[], context: PlanContext): CallPlan[] {
  let childrenLeft = context.childrenLeft
  let explained = 0
  return calls.map((call, index) => {
    const isLast = index === calls.length - 1
    if (context.isCut && isLast && isIncomplete(call)) {
      return { id: call.id, tool: call.tool, mode: 'refused', refusal: CUT }
    }
    const plan = planCall(call, index, context, childrenLeft)
    if (plan.mode === 'spawn') childrenLeft -= 1
    const { tool, refusal } = plan
    const { mended: repairs } = call
    if (repairs !== undefined) return { ...plan, mended: repairs }
    // A model that reads the same error message again tends to repeat the same call.
    if (refusal === undefined || !context.refusedBefore?.(tool, refusal)) return plan
    explained += 1
    const more = explained > EXPLAINED ? '' : explanation(tool, refusal, context.pin)
    return { ...plan, refusal: `${refusal}${more}` }
  })
}

const isIncomplete = ({ arguments: text }: AskedCall): boolean =>
  text.trim() === '' || typeof parseArguments(text) === 'string'

const CUT =
  'cut: the answer reached its output token limit within this call, which was not made. ' +
  'Retry with shorter arguments or several calls.'

/**
 * Maximum number of explained rejections per answer. Each explanation contains a schema, and all
 * are stored in one row.
 */
const EXPLAINED = 4
const SCHEMA_SHOWN = 2_000
const NAMES_SHOWN = 1_000

function explanation(tool: string, refusal: string, { tools }: Pin): string {
  if (refusal.startsWith('unknown_tool')) {
    const names = tools.map(({ name }) => name).join(', ')
    return ` Same error as before. The tools are: ${shortened(names, NAMES_SHOWN)}.`
  }
  const schema = tools.find(({ name }) => name === pinnedName(tool))?.input_schema
  if (!refusal.startsWith('invalid_arguments') || schema === undefined) return ''
  const example = exampleOf(schema)
  const exampleText = example === undefined ? '' : ` Valid arguments: ${JSON.stringify(example)}`
  const text = shortened(JSON.stringify(schema), SCHEMA_SHOWN)
  return `\nSame error as before.${exampleText}\nThe schema of ${tool}: ${text}`
}

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`

function planCall(
  call: AskedCall,
  index: number,
  context: PlanContext,
  childrenLeft: number,
): CallPlan {
  const { id, tool } = call
  const refuse = (refusal: string): CallPlan => ({ id, tool, mode: 'refused', refusal })
  if (index >= LIMITS.calls_per_step) {
    return refuse(tooMany(context.dropped ?? 0))
  }
  const row = context.inARow?.(call) ?? 1
  if (row > LIMITS.identical_calls) return refuse(LOOP)
  const spawns = isSpawn(tool)
  const name = pinnedName(tool)
  const route = getOwn(context.pin.routes, name)
  if (!route) {
    if (spawns && !context.mayNest) return refuse(NESTED_SPAWN)
    return refuse(noSuchTool(name, context.pin))
  }
  const parsed = call.given ?? parseArguments(call.arguments)
  if (typeof parsed === 'string') return refuse(parsed)
  const args = spawns ? spawnParameters(tool, parsed) : parsed
  const wrong = call.given ? undefined : invalid(context.pin, name, args)
  if (wrong) return refuse(`invalid_arguments: ${wrong}`)
  if (spawns && childrenLeft <= 0)
    return refuse('This run has reached its subagent limit (limits.max_children).')
  const ruling = context.ruling?.(name, () => givenOf(context.pin, name, args))
  if (ruling?.rule === 'deny') return refuse(deniedText(tool, ruling))
  if (ruling && context.unattended) return refuse(unattendedText(tool, ruling))
  const mode = 'mode' in route ? route.mode : route.kind
  const question = mode === 'question' ? questionPlan(context, name, args) : {}
  if (typeof question === 'string') return refuse(question)
  return { id, tool, mode, ...(ruling ? { ask: ruling.by } : {}), ...question }
}

function questionPlan(
  { pin, unattended }: PlanContext,
  tool: string,
  parsed: Record<string, unknown>,
): Pick<CallPlan, 'questions' | 'expires_in_seconds'> | string {
  if (unattended) return UNATTENDED
  const args = givenOf(pin, tool, parsed)
  const questions = questionsOf(args)
  if (typeof questions === 'string') return questions
  const { expires_in_seconds: seconds } = args
  return { questions, ...(typeof seconds === 'number' ? { expires_in_seconds: seconds } : {}) }
}

/**
 * Explains why a tool is unknown. For a known tool, the explanation is the reason why it is not
 * offered.
 */
function noSuchTool(tool: string, { withheld, tools }: Pin): string {
  const toolName = JSON.stringify(tool.slice(0, 100))
  const names = tools.map(({ name }) => name)
  const [server = ''] = /^mcp__.+?__/.exec(tool) ?? []
  const reason = withheld && (getOwn(withheld.tools, tool) ?? getOwn(withheld.tools, server))
  if (reason !== undefined) return `unknown_tool: ${toolName} is not available: ${reason}.`
  return `unknown_tool: tool ${toolName} not found.${suggestName(tool, names)}`
}

const tooMany = (droppedCount: number): string =>
  `At most ${LIMITS.calls_per_step} calls are executed per answer.` +
  (droppedCount > 0 ? ` ${droppedCount} more calls in it were dropped and have no result.` : '')

const LOOP =
  `${LOOP_REFUSAL}this same call was made ${LIMITS.identical_calls} times in a row and ` +
  'is blocked. Stop calling it; answer with what you know, or try something else.'

/** Returns call arguments as an object, or an error message for the model. */
export function parseArguments(text: string): Record<string, unknown> | string {
  if (byteLength(text) > LIMITS.tool_arguments_bytes) {
    return `invalid_arguments: more than ${LIMITS.tool_arguments_bytes} bytes.`
  }
  // Models often call a tool without parameters with empty arguments.
  if (text.trim() === '') return {}
  const read = readJson(text, ARGUMENTS)
  if (!read.ok) {
    const { kind, message } = read.error
    const reason = kind === 'syntax' ? `not valid JSON (${message})` : message
    return `invalid_arguments: ${reason.replace(/\.$/, '')}.`
  }
  const { value } = read
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return 'invalid_arguments: the arguments must be a JSON object.'
  }
  if (hasPrototypeKey(value)) return 'invalid_arguments: the key __proto__ is not allowed.'
  return value as Record<string, unknown>
}

function hasPrototypeKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Object.hasOwn(value, '__proto__')) return true
  return Object.values(value).some(hasPrototypeKey)
}

/** Returns the first violation of the pinned schema by the arguments, or undefined. */
export function invalid(
  pin: Pick<Pin, 'tools' | 'routes'>,
  tool: string,
  args: Record<string, unknown>,
): string | undefined {
  const schema = pin.tools.find(({ name }) => name === tool)?.input_schema
  return schema && schemaError(schema, givenOf(pin, tool, args))
}
