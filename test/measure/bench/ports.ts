/**
 * The floor of the ports: the model calls and the commits of one run, recorded from the product,
 * then made again in their order by the model port (the AI SDK's provider package) and by the store
 * of the Node host (SQLite, synced) alone. What of the distance to bare calls is the libraries'.
 */

import { join } from 'node:path'
import { nodeOptions } from '../../../src/hosts/node/options.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { startNode } from '../../../src/hosts/node.ts'
import type { HeadWrite, Store, World, Write } from '../../../src/ports/world.ts'
import { startModelServer } from '../../support/model-server.ts'
import type { Work } from './cases.ts'
import type { Call } from './floor.ts'
import { benchEnv } from './processes.ts'
import { apiCalls, works } from './works.ts'

interface Commit {
  readonly partition: string
  readonly writes: readonly Write[]
  readonly head: HeadWrite | undefined
}
/** The commits of one run around its two model calls, or its only one. */
interface Chain {
  readonly before: readonly Commit[]
  readonly between: readonly Commit[]
  readonly after: readonly Commit[]
}
export interface Recorded {
  readonly parent: Chain
  /** A subagent's own, and its letter to the parent. */
  readonly children: readonly Chain[]
}

/** Runs the case once, in this process, and keeps what it commits. */
export async function recordCommits(dir: string, { act }: Work): Promise<Recorded> {
  const model = await startModelServer()
  const env = benchEnv(join(dir, 'record'), model.url)
  const host = await startNode(nodeOptions({ ...env, ALLOW_LOOPBACK: 'true' }), console.error)
  try {
    const log: (Commit | 'call')[] = []
    watch(host.world, log)
    await act(works(apiCalls(host.url, host.adminKey ?? '')))
    // The last ones come after the answer.
    await new Promise((resolve) => setTimeout(resolve, 500))
    return chains(log)
  } finally {
    await host.close()
    await model.close()
  }
}

function watch(world: World, log: (Commit | 'call')[]): void {
  const { store, model } = world
  const subscribed: Partial<World> = {
    store: {
      ...store,
      async commit(partition, writes, head) {
        const entry = { partition, writes, head }
        log.push(entry)
        const result = await store.commit(partition, writes, head)
        if (result !== 'ok') log.splice(log.indexOf(entry), 1)
        return result
      },
    },
    model: {
      ...model,
      respond(request, options) {
        log.push('call')
        return model.respond(request, options)
      },
    },
  }
  Object.assign(world, subscribed)
}

function chains(log: readonly (Commit | 'call')[]): Recorded {
  const commits = log.filter((entry) => entry !== 'call')
  const parent = commits[0]!.partition
  const own = (entries: readonly (Commit | 'call')[]): Commit[] =>
    entries.filter(
      (entry): entry is Commit =>
        entry !== 'call' && entry.partition === parent && entry.head !== undefined,
    )
  const mail = commits.filter(({ partition, head }) => partition === parent && !head)
  const first = log.indexOf('call')
  const last = log.lastIndexOf('call')
  const names = new Set(commits.map(({ partition }) => partition))
  names.delete(parent)
  const children = [...names].map((name, index) => {
    const [created, ...rest] = commits.filter(({ partition }) => partition === name)
    return { before: [created!], between: [], after: [...rest, ...mail.slice(index, index + 1)] }
  })
  const between = first === last ? [] : own(log.slice(first, last))
  return {
    parent: { before: own(log.slice(0, first)), between, after: own(log.slice(last)) },
    children,
  }
}

/** Opens a store for the commits, and makes a `Call` a play: the n-th call of it is the n-th call. */
export async function portsFloor(dir: string, recorded: Recorded, respond: Call) {
  const store = await openSqlite(join(dir, 'ports.db'))
  let plays = 0
  return {
    begin(): Call {
      plays += 1
      return play(store, recorded, respond, `/${plays}.${process.hrtime.bigint()}`)
    },
    close: () => store.close(),
  }
}

function play(store: Store, { parent, children }: Recorded, respond: Call, suffix: string): Call {
  const make = async (commits: readonly Commit[]): Promise<void> => {
    for (const { partition, writes, head } of commits) {
      const result = await store.commit(`${partition}${suffix}`, writes, head)
      if (result !== 'ok') throw new Error(`a commit that was recorded is a ${result} now`)
    }
  }
  const [planned = [], rest = []] = [parent.between.slice(0, 1), parent.between.slice(1)]
  let beside: Promise<void> = Promise.resolve()
  let heard = 0
  let calls = 0
  /** What the parent commits while its subagents end, as they do. */
  const hear = (): void => {
    const from = Math.floor((rest.length * heard) / children.length)
    heard += 1
    const due = rest.slice(from, Math.floor((rest.length * heard) / children.length))
    beside = beside.then(() => make(due))
  }
  // The second call of a parent goes out beside its subagents'.
  const last = children.length === 0 ? 0 : children.length + 2
  return async (url, body) => {
    const call = calls++
    const child = children[call - 1]
    if (call === 0) await make(parent.before)
    if (child) await make(child.before)
    if (call === last) await beside
    await respond(url, body)
    if (child) {
      await make(child.after)
      hear()
    }
    if (call === 0) await make(planned)
    if (call === last) await make(parent.after)
  }
}
