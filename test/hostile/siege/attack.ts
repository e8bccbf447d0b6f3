/**
 * What an attack is: one object with a name, whom it speaks as, and a sentence that says what it
 * would do to a weak server. `run` is one assault; the siege repeats it while there is time. It
 * throws when its own expectation is not met; statuses that it meets are counted by the siege.
 */

import type { Socket } from 'node:net'
import type { Behaviour, HostilePeer } from '../../support/hostile/index.ts'
import type { Ask } from '../../support/launch.ts'

type Against = 'model' | 'mcp' | 'receiver' | 'files' | 'client' | 'hook'

export interface Attack {
  readonly name: string
  readonly against: Against
  /** A row of the cases that must be refused, where one fits. */
  readonly row?: string
  /** What it would do to a weak server. */
  readonly what: string
  /** It swells what its own tenant has, so it has a tenant of its own; others share one. */
  readonly apart?: boolean
  /** It makes sense against the Worker too. */
  readonly workerd?: boolean
  run(siege: Siege): Promise<void>
}

/** What an attack has: the server under a key of its own, and means to be hostile. */
export interface Siege {
  readonly url: string
  readonly key: string
  /** A folder of its own among the tenant's files, i.e. for `base_dir`. */
  readonly base: string
  /** Whether the server is the Node host; the Worker has bounds of its platform. */
  readonly node: boolean
  /** Nothing else goes on: what takes long is this attack's own doing. */
  readonly alone: boolean
  /** Aborted when the time of the assault is over: what is held is let go. */
  readonly signal: AbortSignal
  /** A number of its own for each assault of this attack. */
  readonly nth: number
  /** A request; its status is counted. A 5xx that is not told as one of storage's is a break. */
  ask(path: string, init?: Ask): Promise<Reply>
  post(path: string, json: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Writes a file of the tenant; layers are to lie below `base`. */
  put(path: string, body: string | Uint8Array): Promise<Reply>
  /** Starts a run with narrow limits, which the siege expects to end. Undefined when refused. */
  start(request: object): Promise<string | undefined>
  /** The same, and waits for its end; undefined too when others keep it waiting. */
  finish(request: object, seconds?: number): Promise<RunEnd | undefined>
  /** A run before the hostile model of this attack. */
  tempted(behaviour: Behaviour, request?: object): Promise<RunEnd | undefined>
  /** From now on the model answers so, for runs whose input holds the word that is returned. */
  model(behaviour: Behaviour): string
  peer(behaviour: Behaviour): Promise<HostilePeer>
  /** A connection of its own to the server; gone when the assault is over. */
  socket(first?: string): Promise<Socket>
  /** Counts what the server did. */
  saw(what: string, times?: number): void
  /** Waits, but no longer than the assault. */
  hold(ms: number): Promise<void>
}

export interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an attack looks at what it expects.
  readonly json: any
}

export interface RunEnd {
  readonly id: string
  readonly status: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly output: { readonly text: string } | null
}

/** Throws when the server did something else. */
export function must(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}

/** `count` at once, `width` of them at a time. */
export async function many<T>(
  count: number,
  act: (nth: number) => Promise<T>,
  width = count,
): Promise<T[]> {
  const all: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let nth = next++; nth < count; nth = next++) all[nth] = await act(nth)
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker))
  return all
}
