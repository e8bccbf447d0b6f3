/** Tasks of fan-outs by status on a running server, while some of them run and others have failed. */

import { expect, it } from 'vitest'
import { createClient, type ProblemError } from '../../src/client/index.ts'
import { until } from '../support/patience.ts'
import { sharedServer } from '../support/server.ts'

const server = sharedServer()

const said = (text: string) => ({ task: `@say ${text}` })
const FAILS = { task: '@fail 400' }
const SLOW = { task: '@slow 60000\n@say late' }

it.each(['closed', 'open'])(
  'a list with a status (200) continues over pages of %s fan-outs and finds running tasks',
  async (kind) => {
    const { fanouts } = createClient({ url: server().url, apiKey: server().key })
    const pages = [
      [said('a'), FAILS, FAILS, SLOW],
      [said('b'), said('c'), SLOW, FAILS],
    ]
    const isOpen = kind === 'open'
    const { id } = await fanouts.create(isOpen ? { open: true } : { tasks: pages.flat() })
    if (isOpen)
      for (const [page, tasks] of pages.entries()) await fanouts.addTasks(id, { page, tasks })
    const indicesOf = async (status: string): Promise<number[]> => {
      const indices: number[] = []
      for await (const task of fanouts.tasks(id, { status, limit: 1 })) {
        expect(status.split(',')).toContain(task.status)
        indices.push(task.index)
      }
      return indices
    }
    const second = isOpen ? 1_000 : 4
    await until('the ends of the other tasks', async () => {
      return (await indicesOf('completed,failed')).length === 6
    })
    expect(await indicesOf('failed')).toEqual([1, 2, second + 3])
    expect(await indicesOf('completed')).toEqual([0, second, second + 1])
    expect(await indicesOf('live')).toEqual([3, second + 2])
    expect(await indicesOf('cancelled,timed_out')).toEqual([])
    await fanouts.cancel(id)
    await until('the end', async () => (await indicesOf('live')).length === 0)
    expect(await indicesOf('cancelled')).toEqual([3, second + 2])
    const { next_cursor } = await fanouts.tasks(id, { status: 'failed', limit: 1 })
    const cursor = next_cursor ?? ''
    const foreign = fanouts.tasks(id, { status: 'completed', cursor })
    await expect(foreign).rejects.toMatchObject({
      code: 'invalid_cursor',
    } satisfies Partial<ProblemError>)
    await expect(fanouts.tasks(id, { status: 'done' })).rejects.toMatchObject({
      code: 'invalid_query',
    })
  },
)
