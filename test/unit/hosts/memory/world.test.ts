/** The world in memory: what its ports add for tests, and how they are replaced. */

import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { memorySecrets } from '../../../../src/hosts/memory/secrets.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'

const wake = { partition: 'p', lane: 'main', started: false, staleCount: 0 } as const

describe('memoryWorld', () => {
  it('refuses model, tools, and web with an explanation until the caller supplies them', async () => {
    const { model, tools, web } = memoryWorld()
    expect(model.find(undefined)).toMatchObject({ ok: false })
    expect(web.check('https://example.com')).toMatch(/web access is not available/)
    const server = { name: 's' } as never
    expect(await tools.list('default', server)).toMatchObject({ ok: false })
  })

  it('accepts individual ports and settings from the caller', () => {
    const store = memoryStore()
    const world = memoryWorld({ store, settings: { maxDepth: 2 } })
    expect(world.store).toBe(store)
    expect(world.settings.maxDepth).toBe(2)
    expect(world.settings.maxLiveChildren).toBe(32)
  })

  it('its queue keeps wakes until received, delayed ones by its clock', async () => {
    const { queue, clock } = memoryWorld({ clock: memoryClock(1_000) })
    await queue.send([{ ...wake, partition: 'late' }], 500)
    await queue.send([wake])
    expect(queue.nextAt()).toBe(1_000)
    expect(queue.take().map(({ partition }) => partition)).toEqual(['p'])
    expect(queue.take()).toEqual([])
    expect(queue.nextAt()).toBe(1_500)
    clock.advance(500)
    expect(queue.take().map(({ partition }) => partition)).toEqual(['late'])
    expect(queue.nextAt()).toBeUndefined()
  })
})

describe('memoryClock', () => {
  it('stands still, advances both times, and can be set back without the monotonic one', () => {
    const clock = memoryClock(5_000)
    expect([clock.now(), clock.monotonic()]).toEqual([5_000, 0])
    clock.advance(70)
    clock.set(10)
    expect([clock.now(), clock.monotonic()]).toEqual([10, 70])
  })

  it('ends sleeps in the order of their deadlines when time passes, or at once by a signal', async () => {
    const clock = memoryClock()
    const ended: string[] = []
    const stop = new AbortController()
    const sleeps = [
      clock.sleep(20).then(() => ended.push('20')),
      clock.sleep(10).then(() => ended.push('10')),
      clock.sleep(99, stop.signal).then(() => ended.push('stopped')),
      clock.sleep(99, AbortSignal.abort()).then(() => ended.push('aborted before')),
    ]
    await sleeps[3]
    expect(clock.sleepers()).toBe(3)
    clock.advance(20)
    await Promise.all(sleeps.slice(0, 2))
    stop.abort()
    await sleeps[2]
    expect(ended).toEqual(['aborted before', '10', '20', 'stopped'])
    expect(clock.sleepers()).toBe(0)
  })

  it('returns the same random numbers for the same seed, and others for another', () => {
    const [a, b, c] = [memoryClock(0, 3), memoryClock(0, 3), memoryClock(0, 4)]
    expect(a.random(32)).toEqual(b.random(32))
    expect(a.random(32)).not.toEqual(c.random(32))
    expect(new Set(a.random(200)).size).toBeGreaterThan(90)
  })
})

describe('memoryStore', () => {
  it('rejects operations as bugs that another platform could not perform', async () => {
    const store = memoryStore()
    const put = (key: string, body = '') => ({ op: 'put', key, body, expect: 'any' }) as const
    await expect(store.commit('p', [put('a'), put('a')])).rejects.toThrow('twice')
    await expect(store.commit('p', [put('head')])).rejects.toThrow('head')
    await expect(store.commit('p', [put('a', '€'.repeat(43_691))])).rejects.toThrow('too large')
    expect(await store.read('p')).toEqual([])
  })
})

describe('memorySecrets', () => {
  it('returns values by tenant, and opens sealed values in their context only', async () => {
    const secrets = memorySecrets({ default: { TOKEN: 'x' } })
    expect(await secrets.get('default', 'TOKEN')).toBe('x')
    expect(await secrets.get('other', 'TOKEN')).toBeUndefined()
    expect(await secrets.names('default')).toEqual(new Set(['TOKEN']))
    const sealed = await secrets.seal('text', 'a')
    expect(await secrets.open(sealed, 'a')).toBe('text')
    expect(await secrets.open(sealed, 'b')).toBeUndefined()
  })
})
