/**
 * A memory world that writes down each call of a port: its verb, and of a partition or key its
 * tenant and kind. Two requests that did the same work left the same lines.
 */

import { memoryFeed } from '../../src/hosts/memory/feed.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { memorySecrets } from '../../src/hosts/memory/secrets.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import type { MemoryOverrides } from '../../src/hosts/memory/world.ts'

export interface Work {
  readonly verb: string
  /** `<tenant>/<kind>` of what it was about; '' where it says none. */
  readonly about: string
}

const about = (first: unknown): string => {
  const name = Array.isArray(first) ? first[0] : first
  return typeof name === 'string' ? name.split('/').slice(0, 2).join('/') : ''
}

/** `named`: ports whose first argument names what the call is about. */
function counted<T extends object>(port: T, name: string, work: Work[], named: boolean): T {
  return new Proxy(port, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        work.push({ verb: `${name}.${String(key)}`, about: named ? about(given[0]) : '' })
        return (value as (...all: unknown[]) => unknown).apply(target, given)
      }
    },
  })
}

export function countingWorld(overrides: MemoryOverrides = {}): {
  readonly ports: MemoryOverrides
  readonly work: Work[]
} {
  const work: Work[] = []
  const { clock, web, tools, model } = overrides
  const ports: MemoryOverrides = {
    ...overrides,
    store: counted(memoryStore(), 'store', work, true),
    objects: counted(
      memoryObjects(() => clock?.now() ?? 0),
      'objects',
      work,
      true,
    ),
    secrets: counted(memorySecrets(), 'secrets', work, false),
    feed: counted(memoryFeed(), 'feed', work, true),
    ...(web ? { web: counted(web, 'web', work, false) } : {}),
    ...(tools ? { tools: counted(tools, 'tools', work, false) } : {}),
    ...(model ? { model: counted(model, 'model', work, false) } : {}),
  }
  return { ports, work }
}
