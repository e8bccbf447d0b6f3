/**
 * Implements the tools port with MCP servers. A broken server causes a message or a failure, never
 * an exception. A failed call states whether it may have run, because calls that must run only once
 * are never repeated.
 */

import type { Client } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { traceHeaders } from '../../core/trace/context.ts'
import { hideIn } from '../../lib/hide.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ToolCall, ToolFailure, ToolListing, ToolOutcome, Tools } from '../../ports/world.ts'
import { Deadline, within } from '../outbound/deadline.ts'
import { connectServer, hidingFor } from './connect.ts'
import { asksIn, declinedInput, withElicited, withQuestions } from './elicitation.ts'
import { isEnabled } from './enabled-tools.ts'
import { callTrouble, describeReason, isForgottenSession, reasonOf, saysNoTool } from './failure.ts'
import { asSent } from './lenient.ts'
import { type ListAnswer, ListCache } from './list-cache.ts'
import { ServerAuthorizations } from './oauth.ts'
import { Grants } from './oauth-grants.ts'
import { ServerTokens } from './oauth-tokens.ts'
import { connectionFindings } from './older-transport.ts'
import { type Lease, McpPool } from './pool.ts'
import { toolOutcome, truncateResult } from './result.ts'
import { serverKey } from './server-key.ts'
import { AFTERWARDS_MS, callMs, callSeconds, startupMs, startupSeconds } from './time.ts'
import { listTools } from './tool-list.ts'
import type { McpOptions, McpTools } from './types.ts'

type CallOutcome = Outcome<ToolOutcome, ToolFailure>

const IDLE_MS = 60_000
const CANCELLED: ToolFailure = { code: 'unsent', message: 'the call was cancelled' }

export function openMcpTools(mcpOptions: McpOptions): McpTools {
  const lists = new ListCache(mcpOptions)
  const { tokens, authorization } = oauthOf(mcpOptions, (key) => lists.drop(key))
  const options = { ...mcpOptions, tokens }
  const pool = new McpPool(options, options.idleMs ?? IDLE_MS, (key) => lists.drop(key))
  const list: Tools['list'] = async (tenant, server, signal) => {
    if (!server.enabled) return fail('the server is disabled')
    // Callers share a pending list request; an abort ends only the wait of its caller.
    const waited = { totalMs: startupMs(server) + AFTERWARDS_MS, signals: [signal] }
    const fetchList = () =>
      lists.get(serverKey(tenant, server), server, () =>
        hidden(options, tenant, server, ask(pool, tenant, server)),
      )
    try {
      return filtered(server, await within(waited, fetchList))
    } catch (error) {
      return fail(describeReason(server, reasons(server).of(error)))
    }
  }
  const call = async (
    tenant: string,
    server: ServerEntry,
    request: ToolCall,
  ): Promise<CallOutcome> => {
    if (!server.enabled || !isEnabled(server, request.tool)) {
      return fail({ code: 'unsent', message: `the tool "${request.tool}" is not enabled` })
    }
    const first = await hidden(options, tenant, server, attempt(pool, tenant, server, request))
    // The server no longer knows the session and did nothing; the protocol requires a new session.
    const shouldRetry = !first.ok && first.error.session
    const last = shouldRetry
      ? await hidden(options, tenant, server, attempt(pool, tenant, server, request))
      : first
    // The tool was in the cached list but no longer exists, so the list is dropped.
    if (last.ok && last.value.is_error && saysNoTool(last.value.text))
      lists.drop(serverKey(tenant, server))
    if (last.ok) return last
    const { code, message } = last.error.failure
    return fail({ code, message: describeReason(server, message) })
  }
  const forget = async (tenant: string) => {
    lists.forget(tenant)
    pool.forget(tenant)
  }
  return {
    list,
    call,
    forget,
    probe: (tenant, server, signal) =>
      hidden(options, tenant, server, probe(options, tenant, server, signal)),
    close: () => pool.close(),
    ...(authorization ? { authorization } : {}),
  }
}

function oauthOf({ oauth, secrets, fetch }: McpOptions, onList: (key: string) => void) {
  if (!oauth) return { tokens: undefined, authorization: undefined }
  const { store, ...oauthOptions } = oauth
  const parts = { ...oauthOptions, secrets, fetch, grants: new Grants(store, secrets) }
  const tokens = new ServerTokens(parts)
  return { tokens, authorization: new ServerAuthorizations({ ...parts, tokens, onList }) }
}

/** Redacts the secrets that were sent to a server from everything that the server returns. */
async function hidden<T>(
  options: McpOptions,
  tenant: string,
  server: ServerEntry,
  answer: Promise<T>,
): Promise<T> {
  return hideIn(await answer, await hidingFor(tenant, server, options))
}

/** Tests a server on a new connection, closed at once: pooled connections prove nothing. */
async function probe(
  options: McpOptions,
  tenant: string,
  server: ServerEntry,
  callerSignal?: AbortSignal,
): ReturnType<Tools['probe']> {
  const time = new Deadline({ totalMs: startupMs(server), signals: [callerSignal] })
  // If the connection opens only after the time-out, it is closed.
  const opened = connectServer(tenant, server, options, time.signal)
  const close = () => void opened.then((client) => client.close()).catch(() => {})
  const reason = reasons(server)
  try {
    const client = await time.race(opened)
    reason.isConnected()
    const protocol_version = client.getNegotiatedProtocolVersion() ?? null
    const { tools, findings } = await toolsOf(client, server, time)
    return ok({ protocol_version, tools, ...(findings.length > 0 ? { findings } : {}) })
  } catch (error) {
    return fail(describeReason(server, reason.of(error)))
  } finally {
    time.close()
    close()
  }
}

/** Returns the reason for a missing tool list, with the same text for runs and server tests. */
function reasons(server: ServerEntry) {
  const seconds = startupSeconds(server)
  let phase: 'start' | 'list' = 'start'
  return {
    isConnected: () => {
      phase = 'list'
    },
    of: (error: unknown) => reasonOf(error, { what: phase, seconds }),
  }
}

/** Lists all tools of the connected server; rejects if the first page is unreadable. */
async function toolsOf(client: Client, server: ServerEntry, time: Deadline) {
  if (!client.getServerCapabilities()?.tools) return NO_TOOLS
  const wait = { what: 'list', seconds: startupSeconds(server) } as const
  const reason = (error: unknown) => (isForgottenSession(error) ? undefined : reasonOf(error, wait))
  const walk = await listTools(client, time, { timeout: startupMs(server), reason })
  if (!walk) return NO_TOOLS
  const { length, isPart } = walk
  const findings = [...connectionFindings(client), ...walk.findings]
  // An incomplete list is not cached, because the next request may return all pages.
  const ttlMs = isPart ? 0 : walk.ttlMs
  return { tools: [...walk.tools.values()], findings, length, ttlMs, isPart }
}

const NO_TOOLS = { tools: [], findings: [], length: 1, ttlMs: undefined, isPart: false }

/** Applies the entry's allow and deny lists; a server without any remaining tool is unusable. */
function filtered(server: ServerEntry, listing: ToolListing): ToolListing {
  if (!listing.ok) return fail(describeReason(server, listing.error))
  const tools = listing.value.filter((tool) => isEnabled(server, tool.name))
  const findings = (listing.findings ?? []).filter(
    ({ tool }) => tool === null || isEnabled(server, tool),
  )
  if (tools.length > 0 || listing.value.length === 0) {
    return { ...ok(tools), ...(findings.length > 0 ? { findings } : {}) }
  }
  const none = `enabled_tools and disabled_tools exclude all of its ${listing.value.length} tools`
  const odd = findings.find(({ left_out }) => left_out)
  return fail(odd === undefined ? none : `${none}; ${odd.message}`)
}

/** Connects and lists the server's tools within the startup time-out; replaces a lost session. */
async function ask(
  pool: McpPool,
  tenant: string,
  server: ServerEntry,
  isAgain = false,
): Promise<ListAnswer> {
  const time = new Deadline({ totalMs: startupMs(server) })
  const reason = reasons(server)
  let lease: Lease | undefined
  try {
    lease = await pool.lend(tenant, server)
    reason.isConnected()
    const { tools, findings, ...listInfo } = await toolsOf(lease.client, server, time)
    if (listInfo.isPart) lease.broken()
    const listing = { ...ok(tools), ...(findings.length > 0 ? { findings } : {}) }
    return { listing, length: listInfo.length, ttlMs: listInfo.ttlMs }
  } catch (error) {
    lease?.broken()
    const isLost = lease !== undefined && isForgottenSession(error)
    if (isLost && !isAgain) return ask(pool, tenant, server, true)
    return { listing: fail(reason.of(error)), length: 1 }
  } finally {
    time.close()
    lease?.release()
  }
}

interface Attempted {
  readonly failure: ToolFailure
  /** Whether the same call may be repeated on a new session. */
  readonly session: boolean
}

async function attempt(
  pool: McpPool,
  tenant: string,
  server: ServerEntry,
  call: ToolCall,
): Promise<Outcome<ToolOutcome, Attempted>> {
  if (call.signal.aborted) return fail({ failure: CANCELLED, session: false })
  let lease: Lease
  try {
    lease = await lendWithin(pool, tenant, server, call.signal)
  } catch (error) {
    if (call.signal.aborted) return fail({ failure: CANCELLED, session: false })
    const message = reasons(server).of(error)
    return fail({ failure: { code: 'unsent', message }, session: false })
  }
  try {
    if (call.signal.aborted) return fail({ failure: CANCELLED, session: false })
    return ok(await perform(lease.client, server, call))
  } catch (error) {
    if (call.signal.aborted) {
      // Ends the work for an aborted call: a local server is killed with its child processes.
      if (server.transport === 'stdio') lease.broken()
      const failure = {
        code: 'unknown',
        message: 'the call was cancelled after it was sent',
      } as const
      return fail({ failure, session: false })
    }
    const trouble = callTrouble(error, callSeconds(server))
    if (trouble.type === 'answer') return ok({ text: truncateResult(trouble.text), is_error: true })
    if (trouble.failure.code !== 'timeout') lease.broken()
    return fail({ failure: trouble.failure, session: trouble.type === 'session' })
  } finally {
    lease.release()
  }
}

/** Lends a client within a time limit; a connection that opens too late returns to the pool. */
function lendWithin(
  pool: McpPool,
  tenant: string,
  server: ServerEntry,
  signal: AbortSignal,
): Promise<Lease> {
  const lease = pool.lend(tenant, server)
  return within(
    { totalMs: startupMs(server) + AFTERWARDS_MS, signals: [signal] },
    () => lease,
  ).catch((error) => {
    lease.then(({ release }) => release()).catch(() => {})
    throw error
  })
}

/** Sends a tool call to the server; rejects with the client's error. */
async function perform(client: Client, server: ServerEntry, call: ToolCall): Promise<ToolOutcome> {
  const timeout = callMs(server)
  const _meta = { 'strata/idempotency-key': call.key, ...traceHeaders(call.traceparent) }
  const { replies, state } = call.answers ?? {}
  const request = {
    ...{ name: call.tool, arguments: call.arguments, _meta },
    ...(replies ? { inputResponses: replies } : {}),
    ...(state === undefined ? {} : { requestState: state }),
  }
  return within({ totalMs: timeout, signals: [call.signal] }, (signal) =>
    withElicited(client, async () => {
      const options = { timeout, maxTotalTimeout: timeout, signal, allowInputRequired: true }
      const first = await client.callTool(request, options)
      const asks = call.mayAsk && asksIn(first)
      if (asks && call.mayAsk?.(asks.requests, asks.state))
        return { text: '', is_error: false, asks }
      const input = declinedInput(first)
      if (!input) return readOutcome(first)
      if (input.isMore) return withQuestions({ text: MORE_INPUT, is_error: true }, input.elicited)
      const second = await client.callTool({ ...request, ...input.params }, options)
      const outcome = declinedInput(second) ? { text: REPEAT, is_error: true } : readOutcome(second)
      return withQuestions(outcome, input.elicited)
    }),
  )
}

function readOutcome(result: object): ToolOutcome {
  const { sent, mends } = asSent(result)
  return toolOutcome(sent, mends)
}

const MORE_INPUT = 'The server requested more input, which is not supported.'
const REPEAT = 'The server repeated its request and requires an answer.'
