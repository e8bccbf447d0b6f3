/** Calls that objects make together: as one, in turn, and never older than their question. */

import { expect, it } from 'vitest'
import { gathered } from '../../../src/hosts/cloudflare/gathered.ts'

interface Call {
  readonly name: string
  readonly items: readonly string[]
  readonly answer: (by?: (item: string) => string) => void
  readonly fail: (why: Error) => void
}

/** A far end that answers when it is told to. */
function farEnd(inTurn?: (name: string) => boolean) {
  const calls: Call[] = []
  const ask = gathered<string, string>(
    (name, items) =>
      new Promise((resolve, reject) => {
        const answer: Call['answer'] = (by = (item) => `${item}!`) => resolve(items.map(by))
        calls.push({ name, items: [...items], answer, fail: reject })
      }),
    inTurn,
  )
  return { calls, ask }
}

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const items = (calls: readonly Call[]): (readonly string[])[] => calls.map((one) => one.items)

it('what begins together is one call, and each has its own answer', async () => {
  const { calls, ask } = farEnd()
  const answers = Promise.all([ask('x', 'a'), ask('x', 'b'), ask('y', 'c')])
  await turns()
  expect(items(calls)).toEqual([['a', 'b'], ['c']])
  for (const one of calls) one.answer()
  expect(await answers).toEqual(['a!', 'b!', 'c!'])
})

it('a question that comes during a call is asked anew, at once', async () => {
  const { calls, ask } = farEnd()
  void ask('x', 'a')
  await turns()
  void ask('x', 'b')
  await turns()
  expect(items(calls)).toEqual([['a'], ['b']])
})

it('in turn: what comes during a call is the next one together, which begins after all of it', async () => {
  const { calls, ask } = farEnd((name) => name === 'shared')
  const first = ask('shared', 'a')
  await turns()
  const later = [ask('shared', 'b'), ask('shared', 'c')]
  const other = ask('own', 'd')
  await turns()
  later.push(ask('shared', 'e'))
  await turns()
  expect(items(calls)).toEqual([['a'], ['d']])
  calls[0]!.answer((item) => `old ${item}`)
  expect(await first).toBe('old a')
  await turns()
  expect(items(calls)).toEqual([['a'], ['d'], ['b', 'c', 'e']])
  calls[2]!.answer((item) => `new ${item}`)
  expect(await Promise.all(later)).toEqual(['new b', 'new c', 'new e'])
  calls[1]!.answer()
  expect(await other).toBe('d!')
})

it('in turn: a call that fails is the failure of those in it alone', async () => {
  const { calls, ask } = farEnd(() => true)
  const first = ask('x', 'a')
  await turns()
  const second = ask('x', 'b')
  calls[0]!.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await turns()
  expect(items(calls)).toEqual([['a'], ['b']])
  calls[1]!.answer()
  expect(await second).toBe('b!')
})
