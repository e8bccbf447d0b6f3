/** Runs and fan-outs: created, followed, waited for, stopped. */

import type { components } from './contract.ts'
import {
  type FanoutEvent,
  follow,
  type Passing,
  type RunEvent,
  type StreamOptions,
} from './events.ts'
import { declared, type Functions, isOurs, perform, type RunBody } from './functions.ts'
import { type CallOptions, type Http, sleep } from './http.ts'
import { act, create, fillPath, get, list, remove } from './methods.ts'

type Schemas = components['schemas']

export interface WaitOptions extends CallOptions {
  /** How long to wait, in milliseconds; then the thing is answered as it is. Default: without end. */
  readonly forMs?: number
  /** Handlers of the run's functions. Default: those that this client has created it with. */
  readonly functions?: Functions
}
export interface RunStreamOptions extends StreamOptions {
  /** As with `WaitOptions`. */
  readonly functions?: Functions
}

/** Seconds that the server holds one request. */
const HELD_S = 30
const PAUSE_MS = 250
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'timed_out'])

/** Whether it has ended, or waits for its caller. */
const isOver = (state: { readonly status: string; readonly function_calls?: unknown }): boolean =>
  ENDED.has(state.status) || state.function_calls !== undefined

/** Reads again until it is over, or the time is. */
async function ended<T extends { readonly status: string }>(
  read: (seconds: number, options: CallOptions) => Promise<T>,
  { forMs = Number.POSITIVE_INFINITY, ...options }: WaitOptions,
): Promise<T> {
  const until = Date.now() + forMs
  const timeoutMs = options.timeoutMs ?? (HELD_S + 30) * 1000
  for (;;) {
    const began = Date.now()
    const seconds = Math.max(0, Math.min(HELD_S, Math.floor((until - began) / 1000)))
    const state = await read(seconds, { ...options, timeoutMs })
    if (isOver(state) || Date.now() >= until) return state
    // A server that does not hold the request is not asked at once again.
    const pauseMs = PAUSE_MS - (Date.now() - began)
    if (pauseMs > 0) await sleep(Math.min(pauseMs, until - Date.now()), options.signal)
  }
}

export function runsOf(http: Http) {
  const postRun = create(http, '/v1/runs')
  const getRun = get(http, '/v1/runs/{id}')
  const answerFunction = act(http, '/v1/runs/{id}/functions/{call}')
  const handlersOf = new Map<string, Functions>()
  const createRun = async (input: RunBody, options?: CallOptions) => {
    const { body, handlers } = declared(input)
    const run = await postRun(body, options)
    if (handlers) handlersOf.set(run.id, handlers)
    return run
  }
  const runs = {
    /**
     * Starts a run; it is durable when this resolves. Functions with handlers are performed by
     * `wait` and `stream`.
     */
    create: createRun,
    get: getRun,
    list: list(http, '/v1/runs'),
    /**
     * The run once it has ended, or waits for a function that has no handler here. Performs the
     * functions that have one: in another process, or after a restart, give them again.
     */
    async wait(id: string, options: WaitOptions = {}): Promise<Schemas['Run']> {
      const { functions: handlers = handlersOf.get(id) ?? {}, ...waiting } = options
      const until = Date.now() + (waiting.forMs ?? Number.POSITIVE_INFINITY)
      for (;;) {
        const forMs = Math.max(0, until - Date.now())
        const run = await ended((wait, call) => getRun(id, { wait } as never, call), {
          ...waiting,
          forMs,
        })
        if (ENDED.has(run.status)) handlersOf.delete(id)
        if (!isOurs(run, handlers)) return run
        await perform(run, handlers, answerFunction)
      }
    },
    /** Starts a run and waits for its end, as `wait` does. */
    createAndWait: async (body: RunBody, options: WaitOptions = {}) => {
      const { forMs: _, functions: __, ...call } = options
      const { id } = await createRun(body, call)
      return runs.wait(id, options)
    },
    /** Brings the result of a call that `function_calls` of the run shows. */
    answerFunction,
    /** Events of a run, or of a new one, from the first to the last, with text as it comes. */
    async *stream(
      run: string | RunBody,
      options: RunStreamOptions = {},
    ): AsyncGenerator<RunEvent | Passing> {
      const { idempotencyKey, functions, ...streamOptions } = options
      const key = idempotencyKey === undefined ? {} : { idempotencyKey }
      const call = options.signal ? { signal: options.signal, ...key } : key
      const id = typeof run === 'string' ? run : (await createRun(run, call)).id
      const handlers = functions ?? handlersOf.get(id) ?? {}
      for await (const event of follow<RunEvent>(http, id, streamOptions)) {
        yield event
        if (!('seq' in event) || event.run_id !== id || event.type !== 'run.waiting') continue
        if (event.data.on === 'function') await perform(await getRun(id), handlers, answerFunction)
      }
      handlersOf.delete(id)
    },
    /** Stops a run and everything below it. */
    cancel: act(http, '/v1/runs/{id}/cancel'),
    /** Retries the model call of a run that waits for its model. */
    retry: act(http, '/v1/runs/{id}/retry'),
    cancelChildren: act(http, '/v1/runs/{id}/children/cancel'),
    /** Tells a run something while it works, or answers its question. */
    send: create(http, '/v1/runs/{id}/messages'),
    delete: remove(http, '/v1/runs/{id}'),
    children: list(http, '/v1/runs/{id}/children'),
    events: list(http, '/v1/runs/{id}/events'),
    /** The agent, tools, prompt, skills and servers that it was given. */
    config: get(http, '/v1/runs/{id}/config'),
    tree: get(http, '/v1/runs/{id}/tree'),
    transcript: list(http, '/v1/runs/{id}/transcript'),
    /** The bytes of a picture or another file that an event names by its digest. */
    async media(id: string, digest: string, options: CallOptions = {}): Promise<Uint8Array> {
      const path = fillPath('/v1/runs/{id}/media/{digest}', [id, digest])
      const response = await http({ ...options, method: 'GET', path })
      return new Uint8Array(await response.arrayBuffer())
    },
    /** The whole text of which an event shows the beginning and the digest, page by page. */
    async text(id: string, digest: string, options: CallOptions = {}): Promise<string> {
      const path = fillPath('/v1/runs/{id}/texts/{digest}', [id, digest])
      // A page may begin with the character that a decoder takes for a byte order mark.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      let text = ''
      for (let from: string | null = '0'; from !== null; ) {
        const response = await http({ ...options, method: 'GET', path, query: { from } })
        text += decoder.decode(await response.arrayBuffer())
        from = response.headers.get('strata-text-next')
      }
      return text
    },
  }
  return runs
}

export function fanoutsOf(http: Http) {
  const getFanout = get(http, '/v1/fanouts/{id}')
  return {
    create: create(http, '/v1/fanouts'),
    get: getFanout,
    list: list(http, '/v1/fanouts'),
    /** The fan-out with its results once it has ended. */
    wait: (id: string, options: WaitOptions = {}): Promise<Schemas['FanoutWithResults']> =>
      ended((wait, call) => getFanout(id, { wait } as never, call), options),
    stream: (
      id: string,
      options: StreamOptions = {},
    ): AsyncGenerator<FanoutEvent | RunEvent | Passing> =>
      follow<FanoutEvent | RunEvent>(http, id, options),
    events: list(http, '/v1/fanouts/{id}/events'),
    tasks: list(http, '/v1/fanouts/{id}/tasks'),
    /** Adds a page of tasks to an open fan-out. */
    addTasks: act(http, '/v1/fanouts/{id}/tasks'),
    seal: act(http, '/v1/fanouts/{id}/seal'),
    cancel: act(http, '/v1/fanouts/{id}/cancel'),
    delete: remove(http, '/v1/fanouts/{id}'),
  }
}
