/**
 * Ports of a memory world that record each call: its name, and the tenant and kind of the partition
 * or key that it names. Two requests that did equal work recorded equal calls.
 */

import { memoryFeed } from '../../src/hosts/memory/feed.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { memorySecrets } from '../../src/hosts/memory/secrets.ts'
import { memoryStore } from '../../src/hosts/memory/store.ts'
import type { MemoryOverrides } from '../../src/hosts/memory/world.ts'

export interface PortCall {
  readonly call: string
  /** `<tenant>/<kind>` of the first argument; '' if the port does not take a name. */
  readonly target: string
}

function targetOf(first: unknown): string {
  const name = Array.isArray(first) ? first[0] : first
  return typeof name === 'string' ? name.split('/').slice(0, 2).join('/') : ''
}

export function countingWorld(overrides: MemoryOverrides = {}): {
  readonly ports: MemoryOverrides
  readonly calls: PortCall[]
} {
  const calls: PortCall[] = []
  const counted = <T extends object>(port: T, name: string, isNamed: boolean): T =>
    new Proxy(port, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          calls.push({ call: `${name}.${String(key)}`, target: isNamed ? targetOf(args[0]) : '' })
          return (value as (...all: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  const { clock, web, tools, model } = overrides
  const objects = memoryObjects(() => clock?.now() ?? 0)
  const ports: MemoryOverrides = {
    ...overrides,
    store: counted(memoryStore(), 'store', true),
    objects: counted(objects, 'objects', true),
    secrets: counted(memorySecrets(), 'secrets', false),
    feed: counted(memoryFeed(), 'feed', true),
    ...(web ? { web: counted(web, 'web', false) } : {}),
    ...(tools ? { tools: counted(tools, 'tools', false) } : {}),
    ...(model ? { model: counted(model, 'model', false) } : {}),
  }
  return { ports, calls }
}
