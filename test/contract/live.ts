/**
 * Reading along from another process, on any store: what a model says in one process is heard in
 * another while somebody reads there, and costs nothing while nobody does.
 */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { livePartition } from '../../src/engine/partition/keys.ts'
import { memoryClock } from '../../src/hosts/memory/clock.ts'
import { memoryFeed } from '../../src/hosts/memory/feed.ts'
import { systemClock } from '../../src/hosts/shared/clock.ts'
import { liveFeed } from '../../src/hosts/shared/live.ts'
import type { Clock, Feed, FeedItem, Store } from '../../src/ports/world.ts'
import { eventually as pollUntil } from '../support/patience.ts'
import { fresh, type MakeStore } from './store/kit.ts'

/** The time in which feeds live, and a way to let it pass. */
interface LiveTime {
  readonly clock: Clock
  pass(ms: number): Promise<void>
}

/** Eight times as fast as ours: a mark that must not lapse still lasts five seconds. */
const SPEED = 8
const fast: Clock = {
  ...systemClock,
  now: () => Math.round(systemClock.now() * SPEED),
  monotonic: () => systemClock.monotonic() * SPEED,
  sleep: (ms, signal) => systemClock.sleep(ms / SPEED, signal),
}
/** For stores that take time of their own. */
const fastTime = (): LiveTime => ({ clock: fast, pass: fast.sleep })

const STEP_MS = 25
const TURNS = 5
/** For stores in memory: time passes when everything else has come to rest. */
export function steppedTime(): LiveTime {
  const clock = memoryClock()
  return {
    clock,
    async pass(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        for (let turn = 0; turn < TURNS; turn += 1)
          await new Promise((resolve) => setImmediate(resolve))
        clock.advance(Math.min(left, STEP_MS))
      }
    },
  }
}

const says = (text: string, at = 0): FeedItem => ({
  type: 'delta',
  epoch: 1,
  step: 0,
  began: 1,
  at,
  delta: { type: 'text', text },
})

function counted(store: Store) {
  const counts = { reads: 0, commits: 0 }
  const counting: Store = {
    ...store,
    read: (...given) => {
      counts.reads += 1
      return store.read(...given)
    },
    commit: (...given) => {
      counts.commits += 1
      return store.commit(...given)
    },
  }
  return { counts, store: counting }
}

function reader(feed: Feed, partition: string) {
  const heard: FeedItem[] = []
  const leave = feed.subscribe(partition, (item) => void heard.push(item), true)
  onTestFinished(leave)
  /** Pieces may come twice; each names its place. */
  const text = (): string =>
    heard.reduce((text, item) => {
      if (item.type !== 'delta') return `${text}<${item.type}>`
      expect(item.at).toBeLessThanOrEqual(text.length)
      return text + item.delta.text.slice(text.length - item.at)
    }, '')
  return { heard, text, leave }
}

export function liveContract(name: string, make: MakeStore, makeTime = fastTime): void {
  describe(`live text: ${name}`, () => {
    const place = (): string => `test/run/${fresh()}`
    let time: LiveTime
    beforeEach(() => {
      time = makeTime()
    })
    const pass = (ms: number): Promise<void> => time.pass(ms)
    const eventually = (check: () => Promise<void>): Promise<void> =>
      pollUntil(check, () => pass(200))
    const feedOn = (store: Store, errors: unknown[] = []): Feed =>
      liveFeed({
        store,
        clock: time.clock,
        local: memoryFeed(),
        onError: (error) => void errors.push(error),
      })

    it('a reader in another process receives the text in order, in fewer pieces, each once', async () => {
      const store = await make()
      const partition = place()
      const { counts, store: counting } = counted(store)
      const [writer, far] = [feedOn(counting), reader(feedOn(store), partition)]
      const near = reader(writer, partition)
      const executor: string[] = []
      onTestFinished(writer.subscribe(partition, ({ type }) => void executor.push(type)))
      await eventually(async () =>
        expect(await store.read(livePartition(partition))).not.toEqual([]),
      )
      const words = Array.from({ length: 200 }, (_, i) => `w${i} `)
      let at = 0
      for (const [count, word] of words.entries()) {
        writer.publish(partition, says(word, at))
        at += word.length
        if (count % 10 === 0) await pass(50)
      }
      writer.publish(partition, { type: 'ephemeral', name: 'subagent.started', data: {} })
      const all = `${words.join('')}<ephemeral>`
      expect(near.text()).toBe(all)
      await eventually(async () => expect(far.text()).toBe(all))
      expect(far.heard.length).toBeLessThan(words.length / 2)
      expect(counts.commits).toBeLessThan(words.length / 2)
      await pass(3_000)
      expect([near.text(), far.text()]).toEqual([all, all])
      // Only the process that writes the text is told of the reader, and none of its own readers.
      expect(executor).toContain('read')
    })

    it('an executor is told of a reader in its own process with the next piece of text', async () => {
      const writer = feedOn(await make())
      const partition = place()
      const heard: string[] = []
      onTestFinished(writer.subscribe(partition, ({ type }) => void heard.push(type)))
      writer.publish(partition, says('one '))
      reader(writer, partition)
      writer.publish(partition, says('two', 4))
      expect(heard).toEqual(['delta', 'delta', 'read'])
    })

    it('a reader that joins midway receives the whole answer so far within seconds', async () => {
      const store = await make()
      const partition = place()
      const writer = feedOn(store)
      const words = Array.from({ length: 4_000 }, (_, i) => `word ${i} `)
      const all = words.join('')
      let at = 0
      const say = (from: number, to: number): void => {
        for (const word of words.slice(from, to)) {
          writer.publish(partition, says(word, at))
          at += word.length
        }
      }
      say(0, 3_000)
      await pass(1_000)
      const second = feedOn(store)
      const far = reader(second, partition)
      await eventually(async () =>
        expect(await store.read(livePartition(partition))).not.toEqual([]),
      )
      // A publisher asks for readers each five seconds.
      await pass(6_000)
      say(3_000, 3_500)
      await eventually(async () => expect(all.startsWith(far.text())).toBe(true))
      await eventually(async () => expect(far.text().length).toBe(at))
      // A second one there hears it from the first, a third elsewhere from the store.
      expect(reader(second, partition).text() === far.text()).toBe(true)
      const third = reader(feedOn(store), partition)
      await eventually(async () => expect(third.text().length).toBe(at))
      say(3_500, 4_000)
      await eventually(async () =>
        expect([far.text(), third.text()].map((text) => text === all)).toEqual([true, true]),
      )
    })

    it('without a reader nothing is written, and the store is polled once every few seconds', async () => {
      const { counts, store } = counted(await make())
      const [writer, partition] = [feedOn(store), place()]
      // Who waits for changes does not read along.
      onTestFinished(writer.subscribe(partition, () => {}))
      const began = time.clock.monotonic()
      for (let count = 0; count < 50; count += 1) {
        writer.publish(partition, says('x', count))
        writer.publish(partition, { type: 'changed' })
        await pass(50)
      }
      await pass(1_000)
      expect(counts.commits).toBe(0)
      expect(counts.reads).toBeGreaterThan(0)
      expect(counts.reads).toBeLessThanOrEqual(2 + (time.clock.monotonic() - began) / 5_000)
    })

    it('writing and polling stop after the reader leaves', async () => {
      const read = counted(await make())
      const partition = place()
      const far = reader(feedOn(read.store), partition)
      await eventually(async () => expect(read.counts.commits).toBeGreaterThan(0))
      far.leave()
      // What was asked before may still be answered, and leads to one read more.
      let before = { ...read.counts }
      do {
        before = { ...read.counts }
        await pass(4_000)
      } while (read.counts.reads > before.reads)
      await pass(50_000)
      expect(read.counts).toEqual(before)
      const { counts, store } = counted(read.store)
      feedOn(store).publish(partition, says('nobody hears this'))
      await pass(1_000)
      expect(counts.commits).toBe(0)
    })

    it('an unavailable store is reported and stops no reader', async () => {
      const store = await make()
      const away = async (): Promise<never> => {
        throw new Error('away')
      }
      const errors: unknown[] = []
      const [partition, feed] = [place(), feedOn({ ...store, read: away, commit: away }, errors)]
      const near = reader(feed, partition)
      feed.publish(partition, says('still '))
      await eventually(async () => expect(errors.length).toBeGreaterThan(0))
      feed.publish(partition, says('here', 6))
      expect(near.text()).toBe('still here')
    })
  })
}
