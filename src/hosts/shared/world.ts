/**
 * The part of the world that all hosts share: clock, model, tools, outbound door, secrets, feed. A
 * host brings its store, objects and queue, and how it connects to the network.
 */

import type { Transport } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { shellExecute } from '../../core/tools/builtin/shell-execute.ts'
import { shellKill } from '../../core/tools/builtin/shell-kill.ts'
import { shellRead } from '../../core/tools/builtin/shell-read.ts'
import { SEVERAL_SERVERS, shellStart } from '../../core/tools/builtin/shell-start.ts'
import { shellWrite } from '../../core/tools/builtin/shell-write.ts'
import { webFetch } from '../../core/tools/builtin/web-fetch.ts'
import { webSearch } from '../../core/tools/builtin/web-search.ts'
import { sendSeal } from '../../engine/audit/seal.ts'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { shareMemory } from '../../engine/partition/process.ts'
import { adoptKey } from '../../engine/tenant/api-keys.ts'
import { audit } from '../../engine/tenant/audit.ts'
import { tenantSecrets } from '../../engine/tenant/secrets.ts'
import { withTimeouts } from '../../engine/worker/port-timeouts.ts'
import { base64url } from '../../lib/bytes.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type {
  Documents,
  Feed,
  Log,
  Processes,
  RealHands,
  Settings,
  Shell,
  World,
} from '../../ports/world.ts'
import { createMcpTools } from '../mcp/mcp.ts'
import { sharedLists } from '../mcp/shared-lists.ts'
import type { OAuthOptions } from '../mcp/types.ts'
import { MODEL_TIMES } from '../models/exchange.ts'
import { createModel } from '../models/model.ts'
import { createWeb, type Fetch, guardedFetch } from '../outbound/fetch.ts'
import type { OwnAddresses } from '../outbound/guard.ts'
import { createSearch, NO_SEARCH } from '../search/search.ts'
import { tracesWarnings } from '../traces/config.ts'
import { createTraces } from '../traces/exporter.ts'
import { systemClock } from './clock.ts'
import { type Encryption, tenantEncryption } from './encryption.ts'
import { processFeed } from './feed.ts'
import { liveFeed } from './live.ts'
import type { CommonOptions } from './options.ts'
import { environmentSecrets, secretWarnings } from './secrets.ts'

export type OnError = (where: string, error: unknown) => void

export interface WorldParts extends Pick<World, 'store' | 'objects' | 'queue'> {
  readonly options: CommonOptions
  /** 32 bytes that seal secrets at rest. */
  readonly key: Uint8Array
  /** Where this process answers, as far as its host knows. */
  readonly own?: OwnAddresses
  /** Connects to hosts that the policy has accepted. */
  readonly connect: Fetch
  readonly modelFetch?: typeof fetch | undefined
  /** Absent: this home reads no documents. */
  readonly documents?: Documents | undefined
  /** Absent: this home runs no commands. */
  readonly shell?: Shell | undefined
  /** Where the operator allows one: a shell of the machine, or why there is none. */
  readonly realHands?: Outcome<RealHands, string> | undefined
  /** Ways to reach models that need more than a key. */
  readonly modelMeans?: Parameters<typeof createModel>[3]
  readonly stdio?: ((server: ServerEntry) => Promise<Transport>) | undefined
  /** How long unused connections to MCP servers stay open; 0 where they die with the request. */
  readonly mcpIdleMs?: number
  readonly settings: Pick<
    Settings,
    | 'singleProcess'
    | 'spillBytes'
    | 'flushMs'
    | 'sliceMs'
    | 'lifeMs'
    | 'deliveries'
    | 'keepsOrder'
    | 'policyKeptMs'
  >
  /** Default: the one of this process. */
  readonly feed?: Feed
  /** The event that is under way, where its timers end with it. */
  readonly eventOf?: (() => object) | undefined
  readonly onError: OnError
  readonly log?: Log | undefined
  /** Where this process may run programs. */
  readonly machine?: World['machine']
  /** Where one thread serves many tenants. */
  readonly pace?: World['pace']
}

export interface Composed {
  readonly world: World
  /** For ports that the host puts in the place of those of the world. */
  readonly encryption: Encryption
  /** Sentences for the log at the start. */
  readonly warnings: readonly string[]
  /** Closes connections to MCP servers. */
  close(): Promise<void>
}

export function composeWorld(given: WorldParts): Composed {
  const { encryption, parts } = encrypting(given)
  const { options, connect } = parts
  const { allowLoopback } = options.limits
  const policy = { allowLoopback, ownHosts: options.ownHosts, own: parts.own }
  const { env } = options
  const listed = deploymentSecrets(parts)
  const secrets = tenantSecrets(listed, { store: parts.store, clock: systemClock })
  const fetch = guardedFetch(policy, connect)
  const idle = parts.mcpIdleMs === undefined ? {} : { idleMs: parts.mcpIdleMs }
  const lists = sharedLists({
    ...{ store: parts.store, secrets, clock: systemClock },
    onError: (error) => parts.onError('tool lists', error),
  })
  const oauth = { store: parts.store, clock: systemClock, onChange: audited(parts, () => world) }
  const mcp = { secrets, fetch, stdio: parts.stdio, shared: lists, oauth, ...idle }
  const tools = createMcpTools(mcp)
  const hands = handsOf(parts)
  const untimed: World = {
    store: parts.store,
    objects: parts.objects,
    queue: parts.queue,
    clock: systemClock,
    model: createModel(options.model, parts.modelFetch, MODEL_TIMES, parts.modelMeans),
    tools,
    web: createWeb(policy, connect),
    secrets,
    documents: parts.documents,
    shell: hands.shell,
    processes: hands.processes,
    search: options.search && createSearch(options.search, parts.modelFetch ?? fetchAny),
    feed: parts.feed ?? feedOf(parts),
    asStored: given.store,
    log: parts.log,
    traces:
      options.traces && createTraces(options.traces, parts.modelFetch ?? fetchAny, gatherMs(parts)),
    machine: parts.machine,
    pace: parts.pace,
    settings: {
      worker: base64url(systemClock.random(9)),
      ...parts.settings,
      ...options.limits,
      lacks: lacksOf(parts, hands),
    },
  }
  const world = withTimeouts(untimed, parts.eventOf)
  // What a request changes counts at once for the ports that were given the store itself.
  for (const store of [world.store, parts.store]) shareMemory(store, given.store)
  const warnings = [
    ...secretWarnings(env),
    ...(options.allowShell ? hands.lack : []),
    ...tracesWarnings(env),
  ]
  return { world, encryption, warnings, close: () => tools.close() }
}

const deploymentSecrets = ({ options: { env }, key }: WorldParts) =>
  environmentSecrets({ env, tenant: DEFAULT_TENANT, key })

/** Everything above the ports of the host sees rows and objects opened. */
function encrypting(given: WorldParts): { encryption: Encryption; parts: WorldParts } {
  const { store } = given
  const secrets = deploymentSecrets(given)
  const encryption = tenantEncryption({ store, secrets, clock: systemClock })
  const objects = encryption.objects(given.objects)
  return { encryption, parts: { ...given, store: encryption.rows(store), objects } }
}

/** Authorizations at servers stand in the audit; a missing entry is logged. */
const audited =
  ({ onError }: WorldParts, world: () => World): OAuthOptions['onChange'] =>
  async (tenant, { server, ...change }) => {
    const entry = { kind: 'authorization', name: server, number: 0, ...change } as const
    await audit(world(), tenant, entry).catch((error) => onError('audit', error))
    await sendSeal(world(), tenant)
  }

/** A process that stays gathers, so that runs that end together cost one request and one commit. */
const gatherMs = ({ settings }: WorldParts): number => (settings.singleProcess ? GATHER_MS : 0)
const GATHER_MS = 1_000

const fetchAny: Fetch = (url, init) => globalThis.fetch(url, init)

/** Built-in tools that need what this deployment does not have. */
function lacksOf(
  { documents, options }: WorldParts,
  { lack, processes, noProcesses = NO_PROCESSES }: Hands,
): Settings['lacks'] {
  return {
    ...(documents ? {} : { [webFetch.name]: NO_DOCUMENTS }),
    ...Object.fromEntries(lack.map((why) => [shellExecute.name, why])),
    ...(processes ? {} : Object.fromEntries(LONG.map(({ name }) => [name, noProcesses]))),
    ...(options.search ? {} : { [webSearch.name]: NO_SEARCH }),
  }
}
interface Hands {
  readonly shell?: Shell | undefined
  readonly processes?: Processes | undefined
  /** Why there are none. */
  readonly noProcesses?: string
  /** One sentence, or none. */
  readonly lack: readonly string[]
}

/** A shell of the machine is never replaced: commands would mean something else. */
function handsOf({ options, shell, realHands, settings }: WorldParts): Hands {
  if (!options.allowShell) return shell ? { shell, lack: [] } : { lack: [NO_SHELL] }
  if (realHands === undefined) return { lack: [NO_MACHINE] }
  if (!realHands.ok) return { lack: [realHands.error] }
  const { shell: real, processes } = realHands.value
  const none = { shell: real, lack: [] }
  return settings.singleProcess ? { ...none, processes } : { ...none, noProcesses: SEVERAL_SERVERS }
}

const LONG = [shellStart, shellRead, shellWrite, shellKill]
const NO_PROCESSES = 'long processes need a Node server with ALLOW_SHELL=true'
const NO_MACHINE = 'ALLOW_SHELL is set, and only a Node server has a machine for it'
const NO_DOCUMENTS = 'this deployment reads no documents: bind the Worker strata-hands as HANDS'
const NO_SHELL = 'this deployment runs no commands: bind the Worker strata-hands as HANDS'

/** Where other processes may have the run, their output comes through the store. */
function feedOf({ store, settings, onError }: WorldParts): Feed {
  const told = (error: unknown): void => onError('feed', error)
  const local = processFeed(told)
  if (settings.singleProcess) return local
  return liveFeed({ store, clock: systemClock, local, onError: told })
}

/** The admin key that the operator has given to the deployment, if one was given. */
export async function adoptAdminKey(world: World, { env }: CommonOptions): Promise<boolean> {
  const text = env.STRATA_ADMIN_KEY?.trim()
  if (!text) return false
  await adoptKey(world, DEFAULT_TENANT, text)
  return true
}
