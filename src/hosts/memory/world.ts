/**
 * In-memory world for tests and the simulator: time advances manually, and wakes wait until taken.
 * Model, tools, and web reject requests until the caller supplies implementations.
 */

import { LIMITS } from '../../core/limits.ts'
import { fail } from '../../lib/outcome.ts'
import type { Model, Settings, Tools, Web, World } from '../../ports/world.ts'
import { toolLacks } from '../shared/tool-lacks.ts'
import { type MemoryClock, memoryClock } from './clock.ts'
import { memoryFeed } from './feed.ts'
import { memoryObjects } from './objects.ts'
import { type MemoryQueue, memoryQueue } from './queue.ts'
import { memorySecrets } from './secrets.ts'
import { memoryStore } from './store.ts'

export interface MemoryWorld extends World {
  readonly clock: MemoryClock
  readonly queue: MemoryQueue
}

/** Overrides of single ports and single settings of the in-memory world. */
export type MemoryOverrides = Partial<Omit<MemoryWorld, 'settings'>> & {
  readonly settings?: Partial<Settings>
}

export function memoryWorld(overrides: MemoryOverrides = {}): MemoryWorld {
  const clock = overrides.clock ?? memoryClock()
  return {
    store: memoryStore(),
    objects: memoryObjects(() => clock.now()),
    queue: memoryQueue(clock),
    model: NO_MODEL,
    tools: NO_TOOLS,
    web: NO_WEB,
    secrets: memorySecrets(),
    feed: memoryFeed(),
    ...overrides,
    clock,
    settings: { ...SETTINGS, lacks: lacksOf(overrides), ...overrides.settings },
  }
}

/** In-memory settings: results are committed on arrival, children run as on a small deployment. */
const SETTINGS: Settings = {
  worker: 'memory',
  singleProcess: true,
  flushMs: 0,
  sliceMs: 60_000,
  spillBytes: 32_768,
  maxLiveChildren: LIMITS.live_children,
  maxDepth: LIMITS.depth,
  modelPatienceSeconds: 0,
  retentionMs: null,
  allowStdioMcp: false,
  allowLoopback: false,
}

const lacksOf = ({ documents, processes, search, shell }: MemoryOverrides): Settings['lacks'] =>
  toolLacks({
    documents: documents ? undefined : 'this deployment does not support documents',
    shell: shell ? undefined : 'this deployment does not support shell commands',
    processes: processes ? undefined : 'this deployment does not support long-running processes',
    search: search ? undefined : 'no search provider is configured',
  })

const NO_MODEL_TEXT = 'no model is available in this deployment'
const NO_SERVER_TEXT = 'MCP servers are not available in this deployment'
const NO_WEB_TEXT = 'web access is not available in this deployment'
const NO_MODEL: Model = {
  find: () => fail({ message: NO_MODEL_TEXT }),
  respond: async () => fail({ code: 'unauthorized', message: NO_MODEL_TEXT, retryable: false }),
}
const NO_TOOLS: Tools = {
  list: async () => fail(NO_SERVER_TEXT),
  call: async () => fail({ code: 'unsent', message: NO_SERVER_TEXT }),
  probe: async () => fail(NO_SERVER_TEXT),
  forget: () => {},
}
const NO_WEB: Web = {
  check: () => NO_WEB_TEXT,
  send: async () => fail(NO_WEB_TEXT),
}
