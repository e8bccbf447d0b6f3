/**
 * Implements the tools of `POST /mcp`: operations of the registry, runs, and approvals. A rejection
 * becomes a result with `isError`, as MCP requires, with the REST API's code and text.
 */

import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { admits } from '../../../core/scopes.ts'
import { OFFERED_TOOLS } from '../../../core/tools/available.ts'
import { isSpawn } from '../../../core/tools/builtin/sessions-spawn.ts'
import type { Route } from '../../request/route.ts'
import { waitQuery } from '../../schemas/shared/common.ts'
import { McpError, METHOD_NOT_FOUND, type Members } from './ask.ts'
import type { Caller } from './caller.ts'
import { isOperationName, OPERATION_NAMES, operationTool, perform, scopeOf } from './operations.ts'
import { follow, wantsProgress } from './progress.ts'
import { failure, resultOf } from './result.ts'
import { callRunTool, isReading, isRunTool, RUN_TOOLS, routeOf, runSchema } from './run-tools.ts'
import { startTask } from './tasks.ts'

export interface ToolCall {
  readonly name: string
  readonly arguments?: Members | undefined
  /** Task parameters of the call; set if the caller requests a task. */
  readonly task?: object | undefined
}

interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object' }
  readonly annotations: object
}
let cachedTools: readonly ListedTool[] | undefined

/**
 * Returns the list of MCP tools, which is the same for every key; calls beyond the key's scopes are
 * rejected.
 */
export function toolList({ routes }: Caller, hasTasks: boolean) {
  cachedTools ??= [...OPERATION_NAMES.map(operationTool), ...runTools(routes)]
  const tools = [...cachedTools]
  if (!hasTasks) return tools
  const execution = { taskSupport: 'optional' as const }
  return tools.map((tool) => (tool.name === STARTS ? { ...tool, execution } : tool))
}

const STARTS = 'runs_create'
const READS = 'runs_get'

function runTools(routes: readonly Route[]): ListedTool[] {
  return Object.entries(RUN_TOOLS).map(([name, tool]) => {
    const reads = isReading(routeOf(routes, tool))
    const annotations = {
      readOnlyHint: reads,
      destructiveHint: !reads,
      idempotentHint: reads || tool.idempotent === true,
    }
    const { description } = tool
    return { name, description, inputSchema: runSchema(routes, tool), annotations }
  })
}

export async function callTool(
  caller: Caller,
  { name, arguments: input = {}, task }: ToolCall,
  context: ServerContext,
): Promise<CallToolResult> {
  if (task !== undefined && name !== STARTS) {
    throw new McpError(METHOD_NOT_FOUND, `${name} cannot be called as a task.`)
  }
  if (task !== undefined) return startTask(caller, input, context)
  if (isRunTool(name)) return resultOf(await callOfRun(caller, name, input, context))
  if (!isOperationName(name)) return failure(unknown(name))
  const needed = scopeOf(name)
  if (!admits(caller.scopes, needed)) {
    return failure(`insufficient_scope: the key lacks the scope ${needed}`)
  }
  return resultOf(await perform(caller.operations, name, input))
}

/** Calls a run tool; with a progress token, run events are reported while the call waits. */
async function callOfRun(caller: Caller, name: string, input: Members, context: ServerContext) {
  const { ask, routes, world } = caller
  const callContext = { routes, ask, signal: context.mcpReq.signal }
  const tool = RUN_TOOLS[name]!
  const wait = waitQuery.wait.safeParse(input.wait)
  const follows = wantsProgress(context) && (name === STARTS || name === READS)
  if (!follows || !wait.success || wait.data === 0) return callRunTool(callContext, tool, input)
  const first = await callRunTool(callContext, tool, { ...input, wait: 0 })
  if (!first.ok) return first
  const { id } = first.value
  const after = Number(input.after ?? 0)
  await follow({ ask, clock: world.clock, context }, String(id), after, wait.data * 1_000)
  const last = await callRunTool(callContext, RUN_TOOLS[READS]!, { run_id: id })
  return last.ok ? { ...last, value: { ...first.value, ...last.value } } : last
}

/**
 * Returns an error message for an unknown tool. Tools used inside runs are not operations, because
 * they have no meaning outside of a run.
 */
function unknown(name: string): string {
  const ofRuns = isSpawn(name) || OFFERED_TOOLS.has(name)
  if (!ofRuns) return `unknown_tool: tool ${JSON.stringify(name)} not found`
  return (
    `unknown_tool: only the model of a run can call ${name}. Start runs with ${STARTS}, ` +
    'or many at once with POST /v1/fanouts.'
  )
}
