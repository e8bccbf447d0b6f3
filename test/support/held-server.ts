/** The real Node host in this process, with a gate before its store. */

import { nodeOptions } from '../../src/hosts/node/options.ts'
import { startNode } from '../../src/hosts/node.ts'
import type { Store, Write } from '../../src/ports/store.ts'
import type { Feed } from '../../src/ports/world.ts'
import type { Gate, Held } from './held.ts'

const hasFacts = (partition: string, writes: readonly Write[]): boolean =>
  partition.includes('/run/') && writes.some(({ key }) => key.startsWith('f/'))

function gateBefore(store: Store): Gate & { readonly open: () => void } {
  const queue: (() => Promise<void>)[] = []
  let isClosed = false
  const commit = store.commit.bind(store)
  Object.assign(store, {
    commit: (...args: Parameters<typeof commit>) => {
      if (!isClosed || !hasFacts(args[0], args[1])) return commit(...args)
      return new Promise((resolve, reject) => {
        queue.push(() => commit(...args).then(resolve, reject))
      })
    },
  })
  return {
    close() {
      isClosed = true
    },
    open() {
      isClosed = false
      for (const go of queue.splice(0)) void go()
    },
    waiting: () => queue.length,
    letOne: async () => queue.shift()?.(),
  }
}

/** Text of a call that is over is kept by nobody: while its commit waits, a later page lacks it. */
function withoutText(feed: Feed): void {
  const publish = feed.publish.bind(feed)
  Object.assign(feed, {
    publish: (...args: Parameters<typeof publish>) =>
      args[1].type === 'delta' ? undefined : publish(...args),
  })
}

export async function start(settings: Readonly<Record<string, string | undefined>>): Promise<Held> {
  const errors: unknown[] = []
  const host = await startNode(nodeOptions(settings), (_, error) => errors.push(error))
  const gate = gateBefore(host.world.store)
  withoutText(host.world.feed)
  return {
    url: host.url,
    key: host.adminKey ?? '',
    gate,
    async close() {
      gate.open()
      await host.close()
      if (errors.length > 0) throw new Error(errors.join('; '))
    },
  }
}
