/**
 * What every feed promises, as tests; the words are those of `Feed` in src/ports/world.ts. A feed
 * may miss and may repeat, so a test says what is heard in the process that published it. How it
 * reaches other processes is in `live.ts`.
 */

import { describe, expect, it, onTestFinished } from 'vitest'
import type { Feed, FeedItem } from '../../src/ports/world.ts'

export type MakeFeed = () => Feed | Promise<Feed>

let count = 0
const place = (): string => {
  count += 1
  return `default/run/r${count}`
}

type Delta = Extract<FeedItem, { type: 'delta' }>
const said = (text: string, at: number, began = 1): Delta => ({
  type: 'delta',
  epoch: 1,
  step: 0,
  began,
  at,
  delta: { type: 'text', text },
})
const named = (name: string): FeedItem => ({ type: 'ephemeral', name, data: { of: name } })

function hears(feed: Feed, partition: string, live?: boolean) {
  const items: FeedItem[] = []
  const leave = feed.subscribe(partition, (item) => items.push(item), live)
  onTestFinished(leave)
  return { items, leave }
}

export function feedContract(name: string, make: MakeFeed): void {
  describe(`feed: ${name}`, () => {
    describe('subscribers', () => subscriberPromises(make))
    describe('live text', () => livePromises(make))
  })
}

function subscriberPromises(make: MakeFeed): void {
  it('receive every kind of item, as published and in order', async () => {
    const feed = await make()
    const partition = place()
    const [plain, live] = [hears(feed, partition), hears(feed, partition, true)]
    const items: FeedItem[] = [
      { type: 'changed' },
      { type: 'changed', by: 'w1', mail: { key: 'mail/1', fact: { type: 'any', n: [1] } } },
      said('Hello', 0),
      {
        type: 'delta',
        epoch: 1,
        step: 0,
        began: 1,
        at: 5,
        delta: { type: 'reasoning', text: 'h' },
      },
      { type: 'answered' },
      named('progress'),
    ]
    for (const item of items) feed.publish(partition, item)
    // A feed between processes adds that a client reads the text, for the executor alone.
    expect(plain.items.filter(({ type }) => type !== 'read')).toEqual(items)
    expect(live.items).toEqual(items)
  })

  it('receive nothing from other partitions, nor anything published before they subscribed', async () => {
    const feed = await make()
    const partition = place()
    feed.publish(partition, named('before'))
    const mine = hears(feed, partition)
    feed.publish(`${partition}x`, named('longer'))
    feed.publish(partition.slice(0, -1), named('shorter'))
    feed.publish(place(), named('other'))
    expect(mine.items).toEqual([])
  })

  it('are called until they unsubscribe, and unsubscribing twice is harmless', async () => {
    const feed = await make()
    const partition = place()
    for (const live of [false, true]) {
      const [goes, stays] = [hears(feed, partition, live), hears(feed, partition, live)]
      feed.publish(partition, named('one'))
      goes.leave()
      goes.leave()
      feed.publish(partition, named('two'))
      expect(goes.items).toEqual([named('one')])
      expect(stays.items).toEqual([named('one'), named('two')])
    }
  })

  it('that subscribe one function twice unsubscribe it separately', async () => {
    const feed = await make()
    const partition = place()
    let calls = 0
    const listener = (): void => {
      calls += 1
    }
    const [first, second] = [1, 2].map(() => feed.subscribe(partition, listener))
    onTestFinished(second!)
    first!()
    feed.publish(partition, named('one'))
    expect(calls).toBe(1)
  })

  it('may unsubscribe, and others subscribe, while an item is delivered', async () => {
    const feed = await make()
    const partition = place()
    const late: FeedItem[] = []
    const once = feed.subscribe(partition, () => {
      once()
      onTestFinished(feed.subscribe(partition, (item) => late.push(item)))
    })
    const stays = hears(feed, partition)
    feed.publish(partition, named('one'))
    feed.publish(partition, named('two'))
    expect(stays.items).toEqual([named('one'), named('two')])
    expect(late).toContainEqual(named('two'))
  })

  it('that throw stop neither the publisher nor the others', async () => {
    const feed = await make()
    const partition = place()
    onTestFinished(
      feed.subscribe(partition, () => {
        throw new Error('broken on purpose')
      }),
    )
    const after = hears(feed, partition)
    feed.publish(partition, named('one'))
    expect(after.items).toEqual([named('one')])
  })

  it('publishing without subscribers has no effect', async () => {
    const feed = await make()
    for (const item of [{ type: 'changed' } as const, said('x', 0), named('x')])
      expect(feed.publish(place(), item)).toBeUndefined()
  })
}

function livePromises(make: MakeFeed): void {
  /** The text that a reader has by now. */
  const textOf = (items: readonly FeedItem[]): string => {
    let text = ''
    for (const item of items)
      if (item.type === 'delta') text = text.slice(0, item.at) + item.delta.text
    return text
  }

  it('a subscriber that joins during an answer first receives the text so far', async () => {
    const feed = await make()
    const partition = place()
    feed.publish(partition, said('Hello', 0))
    feed.publish(partition, said(', wor', 5))
    const late = hears(feed, partition, true)
    expect(late.items[0]).toMatchObject({ type: 'delta', at: 0, began: 1 })
    expect(textOf(late.items)).toBe('Hello, wor')
    feed.publish(partition, said('ld', 10))
    expect(textOf(late.items)).toBe('Hello, world')
  })

  it('a subscriber that does not follow live text receives only later items', async () => {
    const feed = await make()
    const partition = place()
    feed.publish(partition, said('Hello', 0))
    const late = hears(feed, partition)
    feed.publish(partition, said('!', 5))
    expect(late.items).toEqual([said('!', 5)])
  })

  it('duplicate pieces reach a late subscriber once', async () => {
    const feed = await make()
    const partition = place()
    for (const item of [said('Hello', 0), said('lo', 3), said('lo!', 3), said('Hello', 0)])
      feed.publish(partition, item)
    expect(textOf(hears(feed, partition, true).items)).toBe('Hello!')
  })

  it('another model call starts with empty text', async () => {
    const feed = await make()
    const partition = place()
    feed.publish(partition, said('given up', 0, 1))
    feed.publish(partition, said('anew', 0, 2))
    const late = hears(feed, partition, true)
    expect(late.items).toEqual([said('anew', 0, 2)])
  })

  it('a late subscriber receives no live text once the log has the answer', async () => {
    const feed = await make()
    const partition = place()
    feed.publish(partition, said('Hello', 0))
    // A change during the answer, e.g. a message in the mailbox, does not end it.
    feed.publish(partition, { type: 'changed' })
    expect(textOf(hears(feed, partition, true).items)).toBe('Hello')
    feed.publish(partition, { type: 'answered' })
    expect(textOf(hears(feed, partition, true).items)).toBe('Hello')
    feed.publish(partition, { type: 'changed' })
    expect(hears(feed, partition, true).items).toEqual([])
  })
}
