/**
 * Several servers on one store, of which one is killed at a time: whoever asks goes to another one
 * when the first has died.
 */

import type { Open, Server } from '../../support/launch.ts'
import { launchServer } from '../../support/launch.ts'
import { persistently } from './ask.ts'
import type { Host } from './host.ts'

export async function startCluster(
  env: Readonly<Record<string, string>>,
  size: number,
  open: Open,
): Promise<Host> {
  // The first one makes the key, so it comes alone.
  const first = await launchServer({ env, open })
  const others = Array.from({ length: size - 1 }, () => launchServer({ env, open, before: first }))
  const servers: Server[] = [first, ...(await Promise.all(others))]
  let asked = 0
  let killed = 0
  let lost = 0
  let before = ''
  const next = (): Server => {
    asked += 1
    return servers[asked % size] ?? first
  }
  const miss = (): void => {
    lost += 1
  }
  return {
    server: () => servers[killed % size] ?? first,
    lost: () => lost,
    printed: () => before + servers.map(({ process }) => process.output()).join(''),
    async kill() {
      const victim = killed % size
      killed += 1
      await servers[victim]?.process.stop('SIGKILL')
      before += servers[victim]?.process.output() ?? ''
      servers[victim] = await launchServer({ env, open, before: first })
    },
    ask: (path, init) => persistently(next, miss, path, () => init ?? {}),
  }
}
