/**
 * The Node host: one process with a SQLite file, a directory and lanes of its own, or one of
 * several that share a cloud's store, bucket and queue. It opens the three doors of every host:
 * requests by HTTP, wakes by its queue, and a clock that ticks.
 */

import { giveClaimsBack } from '../engine/claim.ts'
import { handle } from '../engine/handle.ts'
import { ADMIN, createKey } from '../engine/keys.ts'
import { DEFAULT_TENANT } from '../engine/names.ts'
import { recover, tick } from '../engine/tick.ts'
import { createApp } from '../http/app.ts'
import type { Wake, World } from '../ports/world.ts'
import { listen } from './node/listen.ts'
import { modelFetch } from './node/model-fetch.ts'
import type { NodeOptions } from './node/options.ts'
import { pinnedFetch } from './node/outbound.ts'
import { openStdio } from './node/stdio.ts'
import { openMasterKey, openPorts } from './node-ports.ts'
import { adoptAdminKey, composeWorld, type OnError } from './web/world.ts'

export interface NodeHost {
  readonly url: string
  readonly world: World
  /** The admin key, when this start has made it: shown once, stored nowhere. */
  readonly adminKey: string | undefined
  /** The key was shown: the next start makes none. A death before this costs an unknown key. */
  keyShown(): Promise<void>
  /** Stops taking work, lets what runs come to a commit, and closes the store. */
  close(): Promise<void>
}

const SWEEP_MS = 3_600_000
const STOP_MS = 5_000

export async function startNode(options: NodeOptions, onError: OnError): Promise<NodeHost> {
  const handleWake = (wake: Wake): Promise<void> => handle(world, wake)
  const ports = await openPorts(options, { handle: handleWake, onError })
  const { allowLoopback, allowStdioMcp } = options.limits
  const { world, close } = composeWorld({
    ...ports,
    options,
    key: await openMasterKey(options),
    connect: pinnedFetch({ allowLoopback }),
    modelFetch: modelFetch(),
    stdio: allowStdioMcp ? openStdio : undefined,
    settings: { sliceMs: Number.MAX_SAFE_INTEGER, ...ports.settings },
    onError,
  })
  const adminKey = (await adoptAdminKey(world, options)) ? undefined : await firstKey(world)
  const { app } = createApp(world, { onError: (error, id) => onError(id, error) })
  const server = await listen(app, options)
  // Nobody else can be at work on this store: every lease found is void, recovery is immediate.
  if (world.settings.exclusive) await recover(world)
  ports.start()
  const timers = [
    every(ports.tickMs, () => tick(world), onError),
    every(SWEEP_MS, () => ports.sweep(world.clock.now()), onError),
  ]
  return {
    url: server.url,
    world,
    adminKey,
    async keyShown() {
      await world.store.commit(ADMIN, [], { expect: null, body: '{}' })
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await server.close()
      await ports.stop(STOP_MS)
      await giveClaimsBack(world)
      await close()
      ports.close()
    },
  }
}

/** Until somebody has been shown one: a new admin key, whose hash alone is kept. */
async function firstKey(world: World): Promise<string | undefined> {
  const [shown] = await world.store.heads([ADMIN])
  return shown ? undefined : (await createKey(world, DEFAULT_TENANT, ['*'])).key
}

function every(ms: number, act: () => unknown, onError: OnError): NodeJS.Timeout {
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    try {
      await act()
    } catch (error) {
      onError('timer', error)
    } finally {
      running = false
    }
  }, ms)
  timer.unref()
  return timer
}
