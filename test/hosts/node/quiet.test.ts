/** Work that goes behind other work: when it begins, how much of it at once, and its end. */

import { describe, expect, it } from 'vitest'
import { lanes } from '../../../src/hosts/node/queue.ts'
import { quietTimes } from '../../../src/hosts/node/quiet.ts'

const SOON = 10_000
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('what can wait', () => {
  it('begins when there is nothing else to do, a few pieces at a time', async () => {
    let busy = true
    const quiet = quietTimes(() => busy)
    let begun = 0
    const all = Array.from({ length: 100 }, (_, at) =>
      quiet.wait(`t/${at}`, SOON).then(() => (begun += 1)),
    )
    await turn()
    expect(begun).toBe(0)
    busy = false
    quiet.check()
    await turn()
    await turn()
    expect(begun).toBeGreaterThan(0)
    expect(begun).toBeLessThan(100)
    // More to do has come: the rest waits on.
    busy = true
    const before = begun
    await turn()
    await turn()
    expect(begun).toBeLessThanOrEqual(before + 32)
    busy = false
    quiet.check()
    await Promise.all(all)
    expect(begun).toBe(100)
  })

  it('begins in any case after its time, with its signal, and when all ends', async () => {
    const quiet = quietTimes(() => true)
    await quiet.wait('t/a', 5)
    const over = new AbortController()
    const cancelled = quiet.wait('t/a', SOON, over.signal)
    over.abort()
    await cancelled
    const last = quiet.wait('t/a', SOON)
    quiet.stop()
    await last
    await quiet.wait('t/a', SOON)
  })

  it('begins when somebody wakes its partition, and the oldest when too much waits', async () => {
    const quiet = quietTimes(() => true)
    const woken = quiet.wait('t/woken', SOON)
    quiet.release('t/other')
    quiet.release('t/woken')
    await woken
    const begun: number[] = []
    const wait = (at: number) => quiet.wait(`t/${at}`, SOON).then(() => begun.push(at))
    const all = Array.from({ length: 2_051 }, (_, at) => wait(at))
    await turn()
    expect(begun).toEqual([0, 1, 2])
    quiet.stop()
    await Promise.all(all)
  })

  it('a wake for a partition that waits so begins its work, and one pass more', async () => {
    let passes = 0
    const handle = async ({ partition }: { readonly partition: string }) => {
      passes += 1
      if (partition === 't/a' && passes === 1) await queue.quiet(partition)
      if (partition === 't/b') await new Promise<void>((resolve) => (end = resolve))
    }
    let end = (): void => {}
    const widths = { main: 2, subagent: 1, background: 1 }
    const queue = lanes({ widths, handle, onError: () => {} })
    const wake = (partition: string) =>
      ({ partition, lane: 'main', started: true, staleCount: 0 }) as const
    await queue.send([wake('t/a'), wake('t/b')])
    await turn()
    expect(passes).toBe(2)
    await queue.send([wake('t/a')])
    await turn()
    await turn()
    expect(passes).toBe(3)
    end()
    expect(await queue.stop(SOON)).toBe(true)
  })

  it('waits for passes of every lane, and for none that has left its place', async () => {
    const open = new Map<string, () => void>()
    const handle = ({ partition }: { readonly partition: string }) =>
      new Promise<void>((resolve) => open.set(partition, resolve))
    const widths = { main: 1, subagent: 1, background: 1 }
    const queue = lanes({ widths, handle, onError: () => {} })
    const wake = (partition: string) =>
      ({ partition, lane: 'main', started: true, staleCount: 0 }) as const
    await queue.send([wake('t/a'), wake('t/b')])
    await turn()
    let isQuiet = false
    const waited = queue.quiet('t/c').then(() => (isQuiet = true))
    queue.leave('t/a')
    await turn()
    expect([...open.keys()]).toEqual(['t/a', 't/b'])
    await turn()
    expect(isQuiet).toBe(false)
    queue.leave('t/b')
    await waited
    for (const end of open.values()) end()
    expect(await queue.stop(SOON)).toBe(true)
  })
})
