/**
 * SIGKILL of the real server in the middle of a run with 20 subagents, at three points that its log
 * decides. `kill.proof.test.ts` kills it at random.
 */

import { expect, it } from 'vitest'
import type { Event } from '../../src/core/run/views/event.ts'
import {
  CHILDREN,
  proveWhole,
  startLedgerServer,
  startOutside,
  watchTree,
} from '../support/killed-tree.ts'
import { until } from '../support/patience.ts'
import { createRun, startServer } from '../support/server.ts'

interface Point {
  readonly name: string
  /** Whether the effect of a child is left without an answer until the server is dead. */
  readonly isHeld: (child: number) => boolean
  readonly isReached: (log: readonly Event[]) => boolean
  /** The least number of effects that the server asked for and has no answer to. */
  readonly unknown: number
}

const count = (log: readonly Event[], type: string): number =>
  log.filter((event) => event.type === type).length

const POINTS: readonly Point[] = [
  {
    name: 'when its log shows the first subagent',
    isHeld: () => true,
    isReached: (log) => count(log, 'subagent.spawned') > 0,
    unknown: 0,
  },
  {
    name: 'when one effect is under way and all others are done',
    isHeld: (child) => child === 7,
    isReached: (log) => count(log, 'tool.result') >= CHILDREN - 1,
    unknown: 1,
  },
  {
    name: 'when half of the results are announced',
    isHeld: (child) => child > CHILDREN / 2,
    isReached: (log) => count(log, 'subagent.announced') >= CHILDREN / 2,
    unknown: 0,
  },
]

it.each(POINTS)(
  'a server killed $name finishes the run after its restart: each child and effect once [X-01 X-02]',
  async ({ isHeld, isReached, unknown }) => {
    const world = await startOutside()
    const dying = await startLedgerServer(world)
    world.hold((effect) => isHeld(Number(effect.split('.').at(-1))))
    const { id } = await createRun(dying, world.request('kill'))
    const log: Event[] = []
    watchTree(dying, id, (event) => log.push(event))
    await until('the point of the kill', () => isReached(log))
    await until('the effects that are held', () => world.unanswered() >= unknown)
    await dying.process.stop('SIGKILL')
    const unanswered = world.answerAll()
    const server = await startServer({ before: dying, env: world.env })
    expect(await proveWhole(server, id, 'kill', world)).toBeGreaterThanOrEqual(unanswered)
  },
)
