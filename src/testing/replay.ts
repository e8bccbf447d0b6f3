/**
 * Answers calls only from a recording: without a network, with the same answers after the same
 * delays. A call outside of the recording is rejected, as are all later calls. The run is then
 * rejected with the differences.
 */

import type { ServerEntry } from '../core/config/types.ts'
import type { MemoryClock } from '../hosts/memory/clock.ts'
import { memorySecrets } from '../hosts/memory/secrets.ts'
import { digest } from '../lib/digest.ts'
import { fail, type Outcome } from '../lib/outcome.ts'
import type {
  Clock,
  Model,
  ModelAnswer,
  ModelFailure,
  ModelInfo,
  ModelMissing,
  ModelRequest,
  Secrets,
  ToolFailure,
  Tools,
} from '../ports/world.ts'
import { modelDifferences, serverDifferences } from './differences.ts'
import { Ids, modelShape, type ServerShape } from './normalize.ts'
import {
  type ModelCall,
  RECORD_AGAIN,
  type RecordedCall,
  type Recording,
  readRecording,
  type ServerCall,
} from './recording.ts'
import { callShape, listShape, probeShape } from './server-shape.ts'
import { TENANT } from './tenant.ts'
import { NO_WEB, type Traffic } from './traffic.ts'

/**
 * Error for a call outside of the recording. The message names the call and its differences from
 * the recorded calls.
 */
export class ReplayError extends Error {
  /**
   * Description of the unmatched call: `model openai/gpt-5.6`, `tools/call search of the server
   * tickets`.
   */
  readonly call: string
  /**
   * Differences from the most similar recorded call; empty if the recording has no call of this
   * kind.
   */
  readonly differences: readonly string[]

  constructor(file: string, call: string, nearest: Nearest | undefined) {
    const lines = nearest?.differences.map((difference) => `\n  ${difference}`).join('') ?? ''
    const hint =
      nearest === undefined
        ? ' The recording has no unused call of this kind.'
        : nearest.differences.length === 0
          ? ` Call ${nearest.number} in the recording is identical but has already been replayed.`
          : ` The most similar call in the recording, ${nearest.number}, differs in:${lines}\n`
    super(`The recording ${file} does not contain this call: ${call}.${hint} ${RECORD_AGAIN}`)
    this.call = call
    this.differences = nearest?.differences ?? []
  }
}

interface Nearest {
  /** Number of the recorded call in the file, starting at 1. */
  readonly number: number
  readonly differences: readonly string[]
}

/**
 * Creates traffic that replays a recording; rejects with `RecordingError` if the file is not a
 * readable recording.
 */
export async function replay(file: string): Promise<Traffic> {
  const recording = readRecording(file)
  const player = new Player(file, recording)
  const { allow_stdio_mcp, allow_loopback, secrets } = recording.deployment
  return {
    ports: (clock) => ({
      model: player.model(clock),
      tools: player.tools(clock),
      secrets: secretsNamed(secrets),
      web: { check: () => undefined, send: async () => fail(NO_WEB) },
      settings: { allowStdioMcp: allow_stdio_mcp, allowLoopback: allow_loopback },
    }),
    underWay: () => 0,
    check: () => player.check(),
    unplayed: () => player.unplayed(),
    close: async () => {},
  }
}

/**
 * Returns placeholder secrets that are never sent, because a recording contains no secret values.
 */
function secretsNamed(names: Recording['deployment']['secrets']): Secrets {
  const values = Object.fromEntries(Object.keys(names).map((name) => [name, `replayed ${name}`]))
  const bound = Object.entries(names).flatMap(([name, to]) => (to ? [[name, to] as const] : []))
  return { ...memorySecrets({ [TENANT]: values }), bindings: async () => new Map(bound) }
}

class Player {
  readonly #file: string
  readonly #recording: Recording
  readonly #modelInfos: ReadonlyMap<string, Outcome<unknown, unknown>>
  /** Recorded calls that were not replayed yet, in the order of their start. */
  readonly #remaining: Set<RecordedCall>
  #error: ReplayError | undefined

  constructor(file: string, recording: Recording) {
    this.#file = file
    this.#recording = recording
    this.#remaining = new Set(recording.calls)
    this.#modelInfos = new Map(
      recording.models.map(({ found: info, ...of }) => [digest(of), info] as const),
    )
  }

  check(): void {
    if (this.#error) throw this.#error
  }

  unplayed(): string[] {
    return [...this.#remaining].map((call) => {
      const number = this.#recording.calls.indexOf(call) + 1
      return `call ${number} of ${this.#file} was not made: ${nameOf(call)}`
    })
  }

  model(clock: Clock): Model {
    return {
      find: (reference, schema) => {
        const of = {
          reference: reference ?? null,
          schema: schema === undefined ? null : digest(schema),
        }
        const info = this.#modelInfos.get(digest(of))
        if (info) return info as Outcome<ModelInfo, ModelMissing>
        const subject = reference === undefined ? 'a default model' : `the model ${reference}`
        const schemas = schema === undefined ? '' : ' with this output schema'
        const message = `The recording ${this.#file} does not define ${subject}${schemas}.`
        return fail({ message: `${message} ${RECORD_AGAIN}` })
      },
      respond: (request, options) => this.#respond(clock, request, options),
    }
  }

  async #respond(
    clock: Clock,
    request: ModelRequest,
    { signal, onDelta }: Parameters<Model['respond']>[1],
  ): Promise<Outcome<ModelAnswer, ModelFailure>> {
    const ids = new Ids()
    const { shape, texts } = modelShape(ids.ofRequest(request))
    const call = this.#take<ModelCall>('model', digest(shape))
    if (call === undefined) {
      const all = { ...this.#recording.texts, ...texts }
      const differences = (candidate: ModelCall) => modelDifferences(candidate.request, shape, all)
      const message = this.#refuse(`model ${shape.model}`, this.#nearest('model', differences))
      return fail({ code: 'rejected', message, retryable: false })
    }
    let now = 0
    for (const [at, type, text] of call.stream) {
      await clock.sleep(at - now, signal)
      if (signal.aborted) return ABORTED
      now = at
      onDelta({ type, text: ids.restored(text) })
    }
    await clock.sleep(call.ms - now, signal)
    return signal.aborted ? ABORTED : ids.restored(call.answer)
  }

  tools(clock: MemoryClock): Tools {
    const exchange = async (server: ServerEntry, shape: ServerShape, signal?: AbortSignal) =>
      this.#exchange(clock, server, shape, signal)
    return {
      list: async (_, server, signal) => {
        const answer = await exchange(server, listShape(server), signal)
        return (answer ?? fail(NOT_RECORDED)) as Awaited<ReturnType<Tools['list']>>
      },
      call: async (_, server, call) => {
        const answer = await exchange(server, callShape(server, call), call.signal)
        const failure: ToolFailure = { code: 'unsent', message: NOT_RECORDED }
        return (answer ?? fail(failure)) as Awaited<ReturnType<Tools['call']>>
      },
      probe: async (_, server, signal) => {
        const answer = await exchange(server, probeShape(server), signal)
        return (answer ?? fail(NOT_RECORDED)) as Awaited<ReturnType<Tools['probe']>>
      },
      forget: () => {},
    }
  }

  /**
   * Returns the recorded exchange with a server; undefined if the recording lacks it, or after an
   * abort.
   */
  async #exchange(
    clock: Clock,
    server: ServerEntry,
    shape: ServerShape,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<unknown, unknown> | undefined> {
    const ids = new Ids()
    const request = ids.ofRequest(shape)
    const call = this.#take<ServerCall>('mcp', digest(request))
    if (call === undefined) {
      const differences = (candidate: ServerCall) => serverDifferences(candidate.request, request)
      const same = ({ request: recorded }: ServerCall) =>
        recorded.server === server.name && recorded.method === shape.method
      this.#refuse(nameOf({ kind: 'mcp', request }), this.#nearest('mcp', differences, same))
      return undefined
    }
    await clock.sleep(call.ms, signal)
    return signal?.aborted ? undefined : ids.restored(call.answer)
  }

  /**
   * Returns the first matching call that was not replayed yet; undefined after a call was rejected.
   */
  #take<T extends RecordedCall>(kind: T['kind'], key: string): T | undefined {
    if (this.#error) return undefined
    const match = [...this.#remaining].find(
      (candidate) => candidate.kind === kind && candidate.key === key,
    )
    if (match) this.#remaining.delete(match)
    return match as T | undefined
  }

  #nearest<T extends RecordedCall>(
    kind: T['kind'],
    differences: (call: T) => readonly string[],
    isLike: (call: T) => boolean = () => true,
  ): Nearest | undefined {
    const all = this.#recording.calls
    const like = all.filter(
      (candidate): candidate is T => candidate.kind === kind && isLike(candidate as T),
    )
    const unplayed = like.filter((candidate) => this.#remaining.has(candidate))
    const ranked = [...unplayed, ...like].map((candidate) => {
      return { number: all.indexOf(candidate) + 1, differences: differences(candidate) }
    })
    ranked.sort((item, other) => item.differences.length - other.differences.length)
    return ranked[0]
  }

  #refuse(call: string, nearest: Nearest | undefined): string {
    this.#error ??= new ReplayError(this.#file, call, nearest)
    return this.#error.message
  }
}

const NOT_RECORDED = 'the recording does not contain this call'
const ABORTED = fail({ code: 'aborted', message: 'aborted', retryable: true } as const)

const nameOf = (call: RecordedCall | Pick<ServerCall, 'kind' | 'request'>): string =>
  call.kind === 'model'
    ? `model ${call.request.model}`
    : `${call.request.method}${call.request.tool === undefined ? '' : ` ${call.request.tool}`} ` +
      `on the server ${call.request.server}`
