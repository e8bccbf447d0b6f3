/** Listeners by topic: the feed of every host that is one process. */

import { expect, it } from 'vitest'
import { listeners } from '../../../src/lib/listeners.ts'

it('each listener of a topic receives every item in order, and nothing of other topics', () => {
  const { publish, subscribe } = listeners<number>()
  const [first, second, other]: number[][] = [[], [], []]
  subscribe('a', (item) => first?.push(item))
  subscribe('a', (item) => second?.push(item))
  subscribe('b', (item) => other?.push(item))
  for (const item of [1, 2, 3]) publish('a', item)
  publish('none', 4)
  expect([first, second, other]).toEqual([[1, 2, 3], [1, 2, 3], []])
})

it('unsubscribing ends one subscription at once, even when a function subscribed twice', () => {
  const { publish, subscribe } = listeners<string>()
  const heard: string[] = []
  const listener = (item: string): void => void heard.push(item)
  const end = subscribe('a', listener)
  const endOther = subscribe('a', listener)
  end()
  end()
  publish('a', 'once')
  endOther()
  publish('a', 'never')
  const endNew = subscribe('a', listener)
  endOther()
  publish('a', 'new')
  endNew()
  expect(heard).toEqual(['once', 'new'])
})

it('a listener that throws is reported and does not affect the others', () => {
  const errors: unknown[] = []
  const { publish, subscribe } = listeners<string>((error) => errors.push(error))
  const heard: string[] = []
  subscribe('a', () => {
    throw new Error('broken on purpose')
  })
  subscribe('a', (item) => heard.push(item))
  expect(() => publish('a', 'x')).not.toThrow()
  expect(heard).toEqual(['x'])
  expect(errors).toEqual([new Error('broken on purpose')])
})
