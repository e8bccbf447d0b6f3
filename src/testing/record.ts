/**
 * Records requests of runs to models and MCP servers, with the answers. Credentials are added below
 * the recorded ports, so recordings contain no header or key. Secrets that a model or a server
 * repeats are redacted before storage.
 */

import type { ServerEntry } from '../core/config/types.ts'
import { digest } from '../lib/digest.ts'
import { hideIn, hiding } from '../lib/hide.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Delta, Model, ModelRequest, Tools } from '../ports/world.ts'
import { Ids, modelShape, type ServerShape } from './normalize.ts'
import { UnderWay } from './pending-calls.ts'
import { type RecordedCall, type Recording, writeRecording } from './recording.ts'
import { callShape, listShape, probeShape } from './server-shape.ts'
import { TENANT } from './tenant.ts'
import type { TestSettings, Traffic, TrafficPorts } from './traffic.ts'

export interface RecordOptions {
  /**
   * Deployment settings, with the names in the README (`OPENAI_API_KEY` …). Default: this process's
   * environment variables.
   */
  readonly settings?: TestSettings | undefined
  /** Model that replaces the real models; tools can also be replaced. */
  readonly model?: Model | undefined
  readonly tools?: Tools | undefined
}

/**
 * Interval within which stream deltas are joined, in milliseconds, equal to the time step in tests.
 */
const STEP_MS = 10

/**
 * Matches headers whose values are ordinary words that also occur in other texts, so they need no
 * redaction.
 */
const HARMLESS = /^(?:accept|accept-.*|content-.*|user-agent|mcp-protocol-version)$/i
const CREDENTIAL = /key|token|secret|passw|auth|credential|cookie|session/i

/** Creates traffic to real models and servers; the calls are written to `file` on close. */
export async function record(file: string, options: RecordOptions = {}): Promise<Traffic> {
  const { openLive } = await import('./live.ts')
  const live = await openLive(options.settings ?? process.env)
  const underWay = new UnderWay()
  const { model = live.ports.model, tools = live.ports.tools } = options
  const recorder = new Recorder(live.hidden)
  const tracked = underWay.over({ ...live.ports, model, tools })
  const ports = recorder.over(tracked)
  return {
    ports: () => ports,
    underWay: () => underWay.count,
    check: () => {},
    unplayed: () => [],
    async close() {
      await live.close()
      const recording = await recorder.toRecording(live.ports)
      if (recording.calls.length > 0) writeRecording(file, recording)
    },
  }
}

class Recorder {
  readonly #hidden: Set<string>
  #hide = hiding([])
  /** Recorded calls in order of their start; calls that never ended are omitted. */
  readonly #calls: { call?: RecordedCall }[] = []
  readonly #texts: Record<string, string> = {}
  readonly #models = new Map<string, Recording['models'][number]>()

  constructor(hidden: readonly string[]) {
    this.#hidden = new Set(hidden)
    this.#hide = hiding(hidden)
  }

  over(ports: TrafficPorts): TrafficPorts {
    return { ...ports, model: this.#model(ports.model), tools: this.#tools(ports.tools) }
  }

  async toRecording({
    secrets,
    settings,
  }: TrafficPorts): Promise<Omit<Recording, 'strata_recording'>> {
    const names = [...(await secrets.names(TENANT))].sort()
    const bindings = await secrets.bindings(TENANT)
    const recording = {
      deployment: {
        allow_stdio_mcp: settings.allowStdioMcp,
        allow_loopback: settings.allowLoopback,
        secrets: Object.fromEntries(names.map((name) => [name, bindings.get(name) ?? null])),
      },
      models: [...this.#models.values()],
      calls: this.#calls.flatMap(({ call }) => (call === undefined ? [] : [call])),
      texts: this.#texts,
    }
    return hideIn(recording, this.#hide)
  }

  #model(model: Model): Model {
    const { ready } = model
    return {
      find: (reference, schema) => {
        const result = model.find(reference, schema)
        const of = {
          reference: reference ?? null,
          schema: schema === undefined ? null : digest(schema),
        }
        this.#models.set(digest(of), { ...of, found: result })
        return result
      },
      respond: (request, options) => this.#respond(model, request, options),
      ...(ready ? { ready: () => ready.call(model) } : {}),
    }
  }

  async #respond(model: Model, request: ModelRequest, options: Parameters<Model['respond']>[1]) {
    const place: { call?: RecordedCall } = {}
    this.#calls.push(place)
    const ids = new Ids()
    const { shape, texts } = modelShape(ids.ofRequest(hideIn(request, this.#hide)))
    Object.assign(this.#texts, texts)
    const began = performance.now()
    const stream: [number, Delta['type'], string][] = []
    const answer = await model.respond(request, {
      ...options,
      onDelta: (delta) => {
        keep(stream, Math.round(performance.now() - began), delta)
        options.onDelta(delta)
      },
    })
    const hiddenAnswer = hideIn({ stream, answer }, this.#hide)
    const ms = Math.round(performance.now() - began)
    place.call = {
      ...({ kind: 'model', key: digest(shape), request: shape, ms } as const),
      ...ids.ofAnswer(hiddenAnswer),
    }
    return answer
  }

  #tools(tools: Tools): Tools {
    return {
      list: (tenant, server, signal) =>
        this.#exchange(server, listShape(server), () => tools.list(tenant, server, signal)),
      call: (tenant, server, call) =>
        this.#exchange(server, callShape(server, call), () => tools.call(tenant, server, call)),
      probe: (tenant, server, signal) =>
        this.#exchange(server, probeShape(server), () => tools.probe(tenant, server, signal)),
      forget: (tenant) => tools.forget(tenant),
    }
  }

  async #exchange<T, E>(
    server: ServerEntry,
    shape: ServerShape,
    act: () => Promise<Outcome<T, E>>,
  ): Promise<Outcome<T, E>> {
    this.#learn(server)
    const place: { call?: RecordedCall } = {}
    this.#calls.push(place)
    const ids = new Ids()
    const request = ids.ofRequest(hideIn(shape, this.#hide))
    const began = performance.now()
    const answer = await act()
    const ms = Math.round(performance.now() - began)
    const hiddenAnswer = ids.ofAnswer(hideIn(answer, this.#hide))
    place.call = { kind: 'mcp', key: digest(request), request, ms, answer: hiddenAnswer }
    return answer
  }

  /** Collects credentials that a layer contains directly in a server's header or variable. */
  #learn({ http_headers, env }: ServerEntry): void {
    const countBefore = this.#hidden.size
    const values = [
      ...Object.entries(http_headers).filter(([name]) => !HARMLESS.test(name)),
      ...Object.entries(env).filter(([name]) => CREDENTIAL.test(name)),
    ]
    for (const [, value] of values)
      for (const secret of [value, ...value.split(/\s+/)]) this.#hidden.add(secret)
    if (this.#hidden.size > countBefore) this.#hide = hiding(this.#hidden)
  }
}

function keep(stream: [number, Delta['type'], string][], ms: number, delta: Delta): void {
  const last = stream.at(-1)
  if (last && last[1] === delta.type && ms - last[0] < STEP_MS) last[2] += delta.text
  else stream.push([ms, delta.type, delta.text])
}
