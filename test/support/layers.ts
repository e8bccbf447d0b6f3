/** A world that has what resolving layers needs, and short ways to write files into it. */

import type { LayerSelection, Resolved } from '../../src/core/config/types.ts'
import type { Refusal } from '../../src/core/problem.ts'
import { resolveLayers } from '../../src/engine/layers/resolve.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import type { World } from '../../src/ports/world.ts'
import { type TestObjects, testObjects } from './objects.ts'

export const TENANT = 'acme'

export interface LayerWorld {
  readonly world: World
  readonly objects: TestObjects
  /** Writes files below the tenant's space. */
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void
  readonly resolve: (selection?: LayerSelection) => Promise<Resolved>
  readonly refusal: (selection?: LayerSelection) => Promise<Refusal>
}

export interface LayerOptions {
  readonly secrets?: readonly string[]
  readonly allowStdio?: boolean
  readonly allowLoopback?: boolean
  readonly page?: number
  /** Model references that the deployment does not know. */
  readonly unknownModels?: readonly string[]
}

export function layerWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: LayerOptions = {},
): LayerWorld {
  const objects = testObjects({ page: options.page ?? 1_000 })
  const parts: Partial<World> = {
    objects,
    store: memoryStore(),
    // Work in the background comes at once, and no slow machine ends a time slice.
    clock: {
      ...systemClock,
      monotonic: () => 0,
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
    },
    secrets: {
      get: async () => undefined,
      names: async () => new Set(options.secrets ?? []),
      bindings: async () => new Map(),
      seal: async (text) => text,
      open: async (text) => text,
    },
    web: {
      check: (url) =>
        url.startsWith('https://') || options.allowLoopback === true
          ? undefined
          : 'only https is called',
      send: async () => ({ ok: false, error: 'no network here' }),
    },
    model: {
      find: (reference) =>
        reference !== undefined && options.unknownModels?.includes(reference) === true
          ? { ok: false, error: { message: 'unknown' } }
          : { ok: true, value: { id: 'test/model', window: 1_000 } },
      respond: async () => ({
        ok: false,
        error: { code: 'unavailable', message: 'none', retryable: false },
      }),
    },
    settings: {
      worker: 'test',
      singleProcess: true,
      flushMs: 0,
      sliceMs: 1_000,
      spillBytes: 1_000,
      maxLiveChildren: 32,
      maxDepth: 1,
      modelPatienceSeconds: 0,
      retentionMs: null,
      allowStdioMcp: options.allowStdio === true,
      allowLoopback: options.allowLoopback === true,
    },
  }
  // The other ports are not touched by a resolve; naming one fails the test.
  const world = parts as World
  const write = (more: Readonly<Record<string, string | Uint8Array>>) =>
    objects.write(more, `${TENANT}/files/`)
  write(files)
  return {
    world,
    objects,
    write,
    resolve: async (selection = {}) => {
      const outcome = await resolveLayers(world, TENANT, selection)
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
      return outcome.value
    },
    refusal: async (selection = {}) => {
      const outcome = await resolveLayers(world, TENANT, selection)
      if (outcome.ok) throw new Error('it was not refused')
      return outcome.error
    },
  }
}

export const skill = (text: string, name = 'x'): string =>
  `---\nname: ${name}\ndescription: does ${name}\n---\n${text}\n`

export const agent = (text: string, name: string, head = ''): string =>
  `---\nname: ${name}\ndescription: does ${name}\n${head}---\n${text}\n`
