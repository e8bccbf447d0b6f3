/**
 * Isolates a run that may be crashing its workers: no other run executes in the process, so that
 * other runs survive (promise 10). New work waits, and current work is awaited. Both waits are
 * limited, because a minute's delay is better than a crash.
 */

import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

interface Gate {
  running: number
  /** Token of the pass that currently runs in isolation. */
  isolated: object | undefined
  waiting: (() => void)[]
}

const gateOfStore = processMemory<Gate>('isolation', () => ({
  running: 0,
  isolated: undefined,
  waiting: [],
}))
const gateOf = ({ store }: World): Gate => gateOfStore(store)
const QUIET_MS = 10_000
const ISOLATION_MS = 60_000

function ring(gate: Gate): void {
  const waiting = gate.waiting
  gate.waiting = []
  for (const wake of waiting) wake()
}

const news = (gate: Gate): Promise<void> => new Promise((resolve) => gate.waiting.push(resolve))

/** Runs a pass concurrently with other passes, but not with an isolated pass. */
export async function runShared<T>(world: World, act: () => Promise<T>): Promise<T> {
  const gate = gateOf(world)
  while (gate.isolated) await news(gate)
  gate.running += 1
  try {
    return await act()
  } finally {
    gate.running -= 1
    if (gate.waiting.length > 0) ring(gate)
  }
}

/** Runs a pass in isolation, after a limited wait for current passes. */
export async function inIsolation<T>(world: World, act: () => Promise<T>): Promise<T> {
  const gate = gateOf(world)
  while (gate.isolated) await news(gate)
  const token = {}
  gate.isolated = token
  const timer = new AbortController()
  /** Returns false if the gate was already opened, because another pass may be isolated by now. */
  const open = (): boolean => {
    if (gate.isolated !== token) return false
    gate.isolated = undefined
    ring(gate)
    return true
  }
  // After a minute, the isolated pass runs concurrently with others.
  const late = (): void => {
    if (!timer.signal.aborted && open()) gate.running += 1
  }
  try {
    const quiet = world.clock.sleep(QUIET_MS, timer.signal)
    let tired = false
    void quiet.then(() => {
      tired = true
    })
    while (gate.running > 0 && !tired) await Promise.race([news(gate), quiet])
    void world.clock.sleep(ISOLATION_MS, timer.signal).then(late)
    return await act()
  } finally {
    timer.abort('over')
    if (!open()) {
      gate.running -= 1
      ring(gate)
    }
  }
}
