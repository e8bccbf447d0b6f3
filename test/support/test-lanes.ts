/** The lanes of the Node host for a test: what a pass throws fails the test, and nothing outlives it. */

import { expect } from 'vitest'
import { type LaneOptions, type Lanes, lanes } from '../../src/hosts/node/queue.ts'
import { cleanup } from './cleanup.ts'
import { minutes } from './patience.ts'

/** Starts lanes that are stopped after the test, before what was opened earlier is closed. */
export function testLanes(options: Omit<LaneOptions, 'onError'>): Lanes {
  const errors: unknown[] = []
  const queue = lanes({ ...options, onError: (error) => errors.push(error) })
  cleanup.push(async () => {
    const isStopped = await queue.stop(minutes(1))
    expect({ isStopped, errors }).toEqual({ isStopped: true, errors: [] })
  })
  return queue
}
