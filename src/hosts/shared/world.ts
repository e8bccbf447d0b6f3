/**
 * Builds the part of the world that all platforms share: clock, model, tools, outbound requests,
 * secrets, and feed. Each platform adds its store, objects, queue, and network connections.
 */

import type { Transport } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { SEVERAL_SERVERS } from '../../core/tools/builtin/shell-start.ts'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { adoptKey } from '../../engine/tenant/api-keys.ts'
import { audit } from '../../engine/tenant/audit.ts'
import { tenantCipher } from '../../engine/tenant/data-key.ts'
import {
  type CipherOf,
  encryptedObjects,
  encryptedStore,
} from '../../engine/tenant/encrypted-ports.ts'
import { tenantSecrets } from '../../engine/tenant/secrets.ts'
import { withTimeouts } from '../../engine/worker/port-timeouts.ts'
import { base64url } from '../../lib/bytes.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type {
  Documents,
  Feed,
  Log,
  MachineSandbox,
  Processes,
  Settings,
  Shell,
  World,
} from '../../ports/world.ts'
import { createMcpTools } from '../mcp/mcp.ts'
import { sharedLists } from '../mcp/shared-lists.ts'
import type { OAuthOptions } from '../mcp/types.ts'
import { MODEL_TIMES } from '../models/exchange.ts'
import { packageWarnings } from '../models/list.ts'
import { createModel } from '../models/model.ts'
import { createWeb, type Fetch, guardedFetch } from '../outbound/fetch.ts'
import type { OwnAddresses } from '../outbound/guard.ts'
import { createSearch, NO_SEARCH } from '../search/search.ts'
import { tracesWarnings } from '../traces/config.ts'
import { createTraces } from '../traces/exporter.ts'
import { systemClock } from './clock.ts'
import { processFeed } from './feed.ts'
import { liveFeed } from './live.ts'
import type { CommonOptions } from './options.ts'
import { environmentSecrets, secretWarnings } from './secrets.ts'
import { NO_DOCUMENTS, NO_PROCESSES, NO_SHELL, toolLacks } from './tool-lacks.ts'

export type OnError = (where: string, error: unknown) => void

export interface WorldParts extends Pick<World, 'store' | 'objects' | 'queue'> {
  readonly options: CommonOptions
  /** Master key (32 bytes) that seals secrets at rest. */
  readonly key: Uint8Array
  /** Addresses of this process, as far as the platform knows them. */
  readonly own?: OwnAddresses
  /** Connects to hosts that the URL policy allows. */
  readonly connect: Fetch
  readonly modelFetch?: typeof fetch | undefined
  /** Document converter; absent if the platform does not convert documents. */
  readonly documents?: Documents | undefined
  /** Emulated shell; absent if the platform runs no commands. */
  readonly shell?: Shell | undefined
  /**
   * Machine sandbox if the operator allows one and it works; otherwise the reason for its absence.
   */
  readonly machineSandbox?: Outcome<MachineSandbox, string> | undefined
  /** Access to models that need more than an API key. */
  readonly modelMeans?: Parameters<typeof createModel>[3]
  readonly stdio?: ((server: ServerEntry) => Promise<Transport>) | undefined
  /**
   * Idle time before MCP server connections are closed, in milliseconds; 0 if connections end with
   * the request.
   */
  readonly mcpIdleMs?: number
  readonly settings: Pick<
    Settings,
    'singleProcess' | 'spillBytes' | 'flushMs' | 'sliceMs' | 'lifeMs' | 'deliveries' | 'keepsOrder'
  >
  /** Live feed; defaults to the feed of this process. */
  readonly feed?: Feed
  /** Returns the current platform event, on platforms whose timers end with the event. */
  readonly eventOf?: (() => object) | undefined
  readonly onError: OnError
  readonly log?: Log | undefined
  /** Facts about this machine; set if this process can run programs. */
  readonly machine?: World['machine']
  /** Shares the thread between tenants; set if one thread serves many tenants. */
  readonly pace?: World['pace']
  readonly keyPace?: World['keyPace']
}

export interface Composed {
  readonly world: World
  /** Warnings for the startup log, each one sentence. */
  readonly warnings: readonly string[]
  /** Returns the cipher of a tenant, for ports that a platform opens besides those of the world. */
  readonly cipherOf: CipherOf
  /** Closes connections to MCP servers. */
  close(): Promise<void>
}

export function composeWorld(worldParts: WorldParts): Composed {
  const cipherOf: CipherOf = (tenant) => tenantCipher(world, tenant)
  const parts = {
    ...(worldParts.options.limits.paused ? withoutNetwork(worldParts) : worldParts),
    store: encryptedStore(worldParts.store, cipherOf),
    objects: encryptedObjects(worldParts.objects, cipherOf),
  }
  const { options, connect } = parts
  const { allowLoopback } = options.limits
  const policy = { allowLoopback, ownHosts: options.ownHosts, own: parts.own }
  const { env } = options
  const deployment = environmentSecrets({ env, tenant: DEFAULT_TENANT, key: parts.key })
  const secrets = tenantSecrets(deployment, { store: parts.store, clock: systemClock })
  const fetch = guardedFetch(policy, connect)
  const idle = parts.mcpIdleMs === undefined ? {} : { idleMs: parts.mcpIdleMs }
  const lists = sharedLists({
    ...{ store: parts.store, secrets, clock: systemClock },
    onError: (error) => parts.onError('tool lists', error),
  })
  const web = createWeb(policy, connect)
  const { check } = web
  const oauth = {
    store: parts.store,
    clock: systemClock,
    check,
    onChange: audited(parts, () => world),
  }
  const mcp = { secrets, fetch, stdio: parts.stdio, shared: lists, oauth, ...idle }
  const tools = createMcpTools(mcp)
  const shellParts = shellPartsOf(parts)
  const untimed: World = {
    store: parts.store,
    objects: parts.objects,
    queue: parts.queue,
    clock: systemClock,
    model: createModel(options.model, parts.modelFetch, MODEL_TIMES, parts.modelMeans),
    tools,
    web,
    secrets,
    documents: parts.documents,
    shell: shellParts.shell,
    processes: shellParts.processes,
    search: options.search && createSearch(options.search, parts.modelFetch ?? fetchAny),
    feed: parts.feed ?? feedOf(parts),
    log: parts.log,
    traces:
      options.traces && createTraces(options.traces, parts.modelFetch ?? fetchAny, gatherMs(parts)),
    machine: parts.machine,
    pace: parts.pace,
    keyPace: parts.keyPace,
    settings: {
      worker: base64url(systemClock.random(9)),
      ...parts.settings,
      ...options.limits,
      lacks: lacksOf(parts, shellParts),
    },
  }
  const world = withTimeouts(untimed, parts.eventOf)
  const warnings = [
    ...secretWarnings(env),
    ...(options.allowShell ? shellParts.lack : []),
    ...tracesWarnings(env),
    ...packageWarnings(options.model),
  ]
  return { world, warnings, cipherOf, close: () => tools.close() }
}

/**
 * Removes network access from a paused server, which also starts no program. Even listing an MCP
 * server's tools could consume a refresh token that the original deployment still needs.
 */
function withoutNetwork(parts: WorldParts): WorldParts {
  const refuse = async (): Promise<never> => {
    throw new Unavailable('This server is paused and does not connect to other hosts.')
  }
  return { ...parts, connect: refuse, modelFetch: refuse, stdio: undefined }
}

/** Records authorizations at MCP servers in the audit log; a failed audit write is logged. */
const audited =
  ({ onError }: WorldParts, world: () => World): OAuthOptions['onChange'] =>
  async (tenant, { server, ...change }) => {
    const entry = { kind: 'authorization', name: server, number: 0, ...change } as const
    await audit(world(), tenant, entry).catch((error) => onError('audit', error))
  }

/**
 * Batching interval in milliseconds. A long-lived process waits for this interval, so that runs
 * that end together share one request and one commit.
 */
const gatherMs = ({ settings }: WorldParts): number => (settings.singleProcess ? GATHER_MS : 0)
const GATHER_MS = 1_000

const fetchAny: Fetch = (url, init) => globalThis.fetch(url, init)

/**
 * Returns the built-in tools that need parts missing from this deployment, each with the reason.
 */
const lacksOf = (
  { documents, options }: WorldParts,
  { lack, processes, noProcesses = NO_PROCESSES }: ShellParts,
): Settings['lacks'] =>
  toolLacks({
    documents: documents ? undefined : NO_DOCUMENTS,
    shell: lack[0],
    processes: processes ? undefined : noProcesses,
    search: options.search ? undefined : NO_SEARCH,
  })

interface ShellParts {
  readonly shell?: Shell | undefined
  readonly processes?: Processes | undefined
  /** Reason why long-running processes are unavailable. */
  readonly noProcesses?: string
  /** List with one sentence about a missing shell, or an empty list. */
  readonly lack: readonly string[]
}

/**
 * Returns the shell. A configured machine shell has no fallback, because commands would behave
 * differently in the emulated shell.
 */
function shellPartsOf({ options, shell, machineSandbox, settings }: WorldParts): ShellParts {
  if (!options.allowShell) return shell ? { shell, lack: [] } : { lack: [NO_SHELL] }
  if (machineSandbox === undefined) return { lack: [NO_MACHINE] }
  if (!machineSandbox.ok) return { lack: [machineSandbox.error] }
  const { shell: real, processes } = machineSandbox.value
  const none = { shell: real, lack: [] }
  return settings.singleProcess ? { ...none, processes } : { ...none, noProcesses: SEVERAL_SERVERS }
}

const NO_MACHINE = 'ALLOW_SHELL is set, but only a Node server supports it'

/** Creates the live feed; output of runs in other processes arrives through the store. */
function feedOf({ store, settings, onError }: WorldParts): Feed {
  const onFeedError = (error: unknown): void => onError('feed', error)
  const local = processFeed(onFeedError)
  if (settings.singleProcess) return local
  return liveFeed({ store, clock: systemClock, local, onError: onFeedError })
}

/** Adopts the admin key that the operator set in the environment, if any. */
export async function adoptAdminKey(world: World, { env }: CommonOptions): Promise<boolean> {
  const text = env.STRATA_ADMIN_KEY?.trim()
  if (!text) return false
  await adoptKey(world, DEFAULT_TENANT, text)
  return true
}
