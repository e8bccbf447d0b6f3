/**
 * Answers from a recording alone: no network, the same answers after the same times. A call that
 * the recording does not hold is refused, and with it all that follow; the run is then rejected
 * with what differs.
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
import { Ids, modelShape, type ServerShape } from './normal.ts'
import {
  ANEW,
  type ModelCall,
  type RecordedCall,
  type Recording,
  readRecording,
  type ServerCall,
} from './recording.ts'
import { callShape, listShape, probeShape } from './server-shape.ts'
import { TENANT } from './tenant.ts'
import { NO_WEB, type Traffic } from './traffic.ts'

/** A call was made that the recording does not hold. The message says which, and what differs. */
export class ReplayError extends Error {
  /** The call: `model openai/gpt-5.6`, `tools/call search of the server tickets`. */
  readonly call: string
  /** From the recorded call that is most like it; empty: none is of its kind. */
  readonly differences: readonly string[]

  constructor(file: string, call: string, nearest: Nearest | undefined) {
    const lines = nearest?.differences.map((one) => `\n  ${one}`).join('') ?? ''
    const beside =
      nearest === undefined
        ? ' It has no unused call of this kind.'
        : nearest.differences.length === 0
          ? ` Its call ${nearest.number} is the same and has already been replayed.`
          : ` Its most similar call, ${nearest.number}, differs in:${lines}
`
    super(`The recording ${file} does not contain this call: ${call}.${beside} ${ANEW}`)
    this.call = call
    this.differences = nearest?.differences ?? []
  }
}

interface Nearest {
  /** From 1, as they stand in the file. */
  readonly number: number
  readonly differences: readonly string[]
}

/** Rejects with `RecordingError` when the file is no recording that can be read here. */
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

/** Placeholders: values are not part of a recording, and these are never sent. */
function secretsNamed(names: Recording['deployment']['secrets']): Secrets {
  const values = Object.fromEntries(Object.keys(names).map((name) => [name, `replayed ${name}`]))
  const bound = Object.entries(names).flatMap(([name, to]) => (to ? [[name, to] as const] : []))
  return { ...memorySecrets({ [TENANT]: values }), bindings: async () => new Map(bound) }
}

class Player {
  readonly #file: string
  readonly #recording: Recording
  readonly #found: ReadonlyMap<string, Outcome<unknown, unknown>>
  /** Recorded calls that were not replayed yet, in order. */
  readonly #left: Set<RecordedCall>
  #error: ReplayError | undefined

  constructor(file: string, recording: Recording) {
    this.#file = file
    this.#recording = recording
    this.#left = new Set(recording.calls)
    this.#found = new Map(recording.models.map(({ found, ...of }) => [digest(of), found] as const))
  }

  check(): void {
    if (this.#error) throw this.#error
  }

  unplayed(): string[] {
    return [...this.#left].map((call) => {
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
        const found = this.#found.get(digest(of))
        if (found) return found as Outcome<ModelInfo, ModelMissing>
        const what = reference === undefined ? 'a default model' : `the model ${reference}`
        const schemas = schema === undefined ? '' : ' with this output schema'
        const message = `The recording ${this.#file} does not define ${what}${schemas}.`
        return fail({ message: `${message} ${ANEW}` })
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
      const differences = (one: ModelCall) => modelDifferences(one.request, shape, all)
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
    const answered = async (server: ServerEntry, shape: ServerShape, signal?: AbortSignal) =>
      this.#exchange(clock, server, shape, signal)
    return {
      list: async (_, server, signal) => {
        const answer = await answered(server, listShape(server), signal)
        return (answer ?? fail(REFUSED)) as Awaited<ReturnType<Tools['list']>>
      },
      call: async (_, server, call) => {
        const answer = await answered(server, callShape(server, call), call.signal)
        const refused: ToolFailure = { code: 'unsent', message: REFUSED }
        return (answer ?? fail(refused)) as Awaited<ReturnType<Tools['call']>>
      },
      probe: async (_, server, signal) => {
        const answer = await answered(server, probeShape(server), signal)
        return (answer ?? fail(REFUSED)) as Awaited<ReturnType<Tools['probe']>>
      },
      forget: () => {},
    }
  }

  /** Undefined: the recording does not hold it, or it was given up. */
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
      const differences = (one: ServerCall) => serverDifferences(one.request, request)
      const same = ({ request: one }: ServerCall) =>
        one.server === server.name && one.method === shape.method
      this.#refuse(nameOf({ kind: 'mcp', request }), this.#nearest('mcp', differences, same))
      return undefined
    }
    await clock.sleep(call.ms, signal)
    return signal?.aborted ? undefined : ids.restored(call.answer)
  }

  /** The first call that was not replayed yet; none after a call was refused. */
  #take<T extends RecordedCall>(kind: T['kind'], key: string): T | undefined {
    if (this.#error) return undefined
    const found = [...this.#left].find((one) => one.kind === kind && one.key === key)
    if (found) this.#left.delete(found)
    return found as T | undefined
  }

  #nearest<T extends RecordedCall>(
    kind: T['kind'],
    differences: (call: T) => readonly string[],
    isLike: (call: T) => boolean = () => true,
  ): Nearest | undefined {
    const all = this.#recording.calls
    const like = all.filter((one): one is T => one.kind === kind && isLike(one as T))
    const left = like.filter((one) => this.#left.has(one))
    const judged = [...left, ...like].map((one) => {
      return { number: all.indexOf(one) + 1, differences: differences(one) }
    })
    judged.sort((one, other) => one.differences.length - other.differences.length)
    return judged[0]
  }

  #refuse(call: string, nearest: Nearest | undefined): string {
    this.#error ??= new ReplayError(this.#file, call, nearest)
    return this.#error.message
  }
}

const REFUSED = 'the recording does not contain this call'
const ABORTED = fail({ code: 'aborted', message: 'aborted', retryable: true } as const)

const nameOf = (call: RecordedCall | Pick<ServerCall, 'kind' | 'request'>): string =>
  call.kind === 'model'
    ? `model ${call.request.model}`
    : `${call.request.method}${call.request.tool === undefined ? '' : ` ${call.request.tool}`} of the server ${call.request.server}`
