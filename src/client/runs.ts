/** Methods that create, follow, wait for, and stop runs and fan-outs. */

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
  /**
   * Maximum waiting time in milliseconds, after which the current state is returned. Default:
   * unlimited.
   */
  readonly forMs?: number
  /**
   * Handlers of the run's functions. Default: the handlers passed when this client created the run.
   */
  readonly functions?: Functions
}
export interface RunStreamOptions extends StreamOptions {
  /** Handlers of the run's functions, as in `WaitOptions`. */
  readonly functions?: Functions
}

/** Maximum time in seconds for which the server may delay its response. */
const HELD_S = 30
const PAUSE_MS = 250
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'timed_out'])

/** Whether a run or fan-out has ended, or waits for its caller. */
const isOver = (state: { readonly status: string; readonly function_calls?: unknown }): boolean =>
  ENDED.has(state.status) || state.function_calls !== undefined

/** Polls until the run or fan-out is over, or the waiting time has expired. */
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
    // Polls of a server that responds immediately are spaced out.
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
     * Creates a run, which is durable when this promise resolves. `wait` and `stream` call the
     * functions that have handlers.
     */
    create: createRun,
    get: getRun,
    list: list(http, '/v1/runs'),
    /**
     * Returns the run when it ends, or when it waits for a function that has no handler in this
     * program. Performs calls of functions that have handlers. After a restart, or in another
     * process, pass the handlers again.
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
    /** Creates a run and waits until it ends, as `wait` does. */
    createAndWait: async (body: RunBody, options: WaitOptions = {}) => {
      const { forMs: _, functions: __, ...call } = options
      const { id } = await createRun(body, call)
      return runs.wait(id, options)
    },
    /** Sends the result of a call that the run lists in `function_calls`. */
    answerFunction,
    /** Yields all existing and new events of a run, with streamed text. */
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
    /** Cancels a run and all its descendants. */
    cancel: act(http, '/v1/runs/{id}/cancel'),
    /** Cancels runs by filter; repeat with `cursor` while `has_more` is true. */
    cancelMany: act(http, '/v1/runs/cancel'),
    /** Retries the model call of a run that waits for its model. */
    retry: act(http, '/v1/runs/{id}/retry'),
    cancelChildren: act(http, '/v1/runs/{id}/children/cancel'),
    /** Sends a message to a working run, or answers its question. */
    send: create(http, '/v1/runs/{id}/messages'),
    delete: remove(http, '/v1/runs/{id}'),
    children: list(http, '/v1/runs/{id}/children'),
    events: list(http, '/v1/runs/{id}/events'),
    /** Returns the run's agent, tools, prompt, skills, and servers. */
    config: get(http, '/v1/runs/{id}/config'),
    /** Returns the request that created the run, to send it again unchanged or edited. */
    input: get(http, '/v1/runs/{id}/input'),
    tree: get(http, '/v1/runs/{id}/tree'),
    transcript: list(http, '/v1/runs/{id}/transcript'),
    /** Returns the bytes of an image or other file that an event references by digest. */
    async media(id: string, digest: string, options: CallOptions = {}): Promise<Uint8Array> {
      const path = fillPath('/v1/runs/{id}/media/{digest}', [id, digest])
      const response = await http({ ...options, method: 'GET', path })
      return new Uint8Array(await response.arrayBuffer())
    },
    /** Returns the full text whose beginning and digest an event contains; reads page by page. */
    async text(id: string, digest: string, options: CallOptions = {}): Promise<string> {
      const path = fillPath('/v1/runs/{id}/texts/{digest}', [id, digest])
      // A page may start with a character that a decoder would remove as a byte order mark.
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
    /** Returns a fan-out with its results once it has ended. */
    wait: (id: string, options: WaitOptions = {}): Promise<Schemas['FanoutWithResults']> =>
      ended((wait, call) => getFanout(id, { wait } as never, call), options),
    stream: (
      id: string,
      options: StreamOptions = {},
    ): AsyncGenerator<FanoutEvent | RunEvent | Passing> =>
      follow<FanoutEvent | RunEvent>(http, id, options),
    events: list(http, '/v1/fanouts/{id}/events'),
    tasks: list(http, '/v1/fanouts/{id}/tasks'),
    /** Adds tasks to an open fan-out; one request sends one page. */
    addTasks: act(http, '/v1/fanouts/{id}/tasks'),
    seal: act(http, '/v1/fanouts/{id}/seal'),
    cancel: act(http, '/v1/fanouts/{id}/cancel'),
    delete: remove(http, '/v1/fanouts/{id}'),
  }
}
