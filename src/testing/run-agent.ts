/**
 * A run of an agent in memory: files as in a layer, an input, and a model that answers from a
 * script. It uses the same API as any run, so it is refused for the same reasons.
 */

import { type components, createClient, type RunEvent } from '../client/index.ts'
import { createKey } from '../engine/tenant/api-keys.ts'
import { memoryClock } from '../hosts/memory/clock.ts'
import { type MemoryOverrides, type MemoryWorld, memoryWorld } from '../hosts/memory/world.ts'
import { createApp } from '../http/app.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { type ScriptModel, scriptModel } from './script-model.ts'
import { settle, withTime } from './settle.ts'
import { TENANT } from './tenant.ts'
import type { TestSettings, Traffic } from './traffic.ts'

type Schemas = components['schemas']

/** Texts, or bytes, by their keys below `base/`, `roles/<role>/` or `repos/<name>/`. */
export type Files = Readonly<Record<string, string | Uint8Array>>

export interface RunAgentOptions
  extends Pick<MemoryOverrides, 'search' | 'shell' | 'tools' | 'web'> {
  /** The model's script, where the input is prose; its grammar stands in `script.ts`. */
  readonly script?: string
  /** Takes the place of the scripted one. It must answer from memory: time is simulated. */
  readonly model?: MemoryOverrides['model']
  /**
   * Real models and MCP servers, by these settings of a deployment. Time passes as on the wall
   * while one of them is called, but every run begins at the same moment of January 2027.
   */
  readonly settings?: TestSettings
  /**
   * The same, and the path of a file that all of it is written to: each call to a model with its
   * stream, each exchange with a server, and no header, key or secret; where one of them repeats
   * such a value, `[redacted]` stands there. Default settings: the variables of this process.
   * `model` and `tools` take the place of the real ones.
   */
  readonly record?: string
  /**
   * The path of such a file: it answers, and nothing is reached by network. A call that it does not
   * hold rejects the run with `ReplayError`, which says what differs.
   */
  readonly replay?: string
  /** Result of `record()` or `replay()`, for several runs; it stays open. */
  readonly traffic?: Traffic
}

/** A call of a tool, in the order in which the model asked for them. */
export interface ToolCall {
  readonly tool: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
  /** Absent: it has no result yet, for a person must decide it. */
  readonly result?: string
  readonly isError?: boolean
}

export interface AgentRun {
  /** As `GET /v1/runs/{id}` shows it: `status`, `output`, `usage`, `waiting_on` … */
  readonly run: Schemas['Run']
  /** The answer; empty: there is none. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly events: readonly RunEvent[]
  readonly transcript: readonly Schemas['TranscriptMessage'][]
  /** Requests to the scripted model; none with a model of your own. */
  readonly requests: ScriptModel['requests']
  /** Files after the run, those that it wrote among them. */
  readonly readFile: (path: string) => Promise<string>
  /** Calls of the recording that were not made, a sentence each; empty without one. */
  readonly unplayed: readonly string[]
}

/**
 * Runs until everything has ended or waits for a person. Rejects with `ProblemError` where the API
 * would refuse the files or the run.
 */
export async function runAgent(
  files: Files,
  input: string | Schemas['RunInput'],
  options: RunAgentOptions = {},
): Promise<AgentRun> {
  const traffic = options.traffic ?? (await trafficOf(options))
  try {
    return await runOver(traffic, files, input, options)
  } catch (error) {
    // What the recording lacks is why the rest went wrong.
    traffic?.check()
    throw error
  } finally {
    if (traffic !== options.traffic) await traffic?.close()
  }
}

/** Each says how models are reached, so one excludes the others. */
const WAYS = ['script', 'model', 'replay', 'record', 'settings', 'traffic'] as const
/** These go together: what is recorded may be real in part. */
const TOGETHER: ReadonlySet<string> = new Set(['record', 'settings', 'model'])
/** They answer for MCP servers too. */
const ANSWERING: ReadonlySet<string> = new Set(['replay', 'settings', 'traffic'])

async function trafficOf(options: RunAgentOptions): Promise<Traffic | undefined> {
  const ways = WAYS.filter((way) => options[way] !== undefined)
  const recorded = options.record !== undefined && ways.every((way) => TOGETHER.has(way))
  if (ways.length > 1 && !recorded)
    throw new TypeError(`${ways.join(' and ')} are mutually exclusive: each provides the answers`)
  const { settings, model, tools } = options
  const answering = ways.find((way) => ANSWERING.has(way))
  if (tools !== undefined && options.record === undefined && answering !== undefined)
    throw new TypeError(`tools and ${answering} are mutually exclusive: each provides the answers`)
  if (options.replay !== undefined) return replay(options.replay)
  if (options.record !== undefined) return record(options.record, { settings, model, tools })
  if (settings === undefined) return undefined
  const { liveTraffic } = await import('./live.ts')
  return liveTraffic(settings)
}

async function runOver(
  traffic: Traffic | undefined,
  files: Files,
  input: string | Schemas['RunInput'],
  { script, model, search, shell, tools, web }: RunAgentOptions,
): Promise<AgentRun> {
  const body = typeof input === 'string' ? { input } : input
  const text = typeof body.input === 'string' ? body.input : undefined
  if (script !== undefined && text === undefined)
    throw new TypeError('a script requires a text input')
  const scripted = scriptModel(
    script === undefined || text === undefined ? {} : { scripts: { [text]: script } },
  )
  const clock = memoryClock()
  // Tools that were given stand behind the recorder.
  const toolPorts = defined({ search, shell, web })
  const ports = traffic
    ? { ...traffic.ports(clock), ...toolPorts }
    : { ...toolPorts, ...defined({ tools }), model: model ?? scripted }
  const world = memoryWorld({ ...ports, clock })
  const strata = await clientIn(world, traffic)
  for (const [path, content] of Object.entries(files)) await strata.files.put(path, content)
  const { id } = await strata.runs.create(body)
  await settle(world, traffic)
  traffic?.check()
  const run = await strata.runs.get(id)
  const { data: transcript } = await strata.runs.transcript(id)
  const events: RunEvent[] = []
  for await (const event of strata.runs.events(id, { limit: 100 })) events.push(event)
  const readFile = async (path: string): Promise<string> =>
    new TextDecoder().decode((await strata.files.get(path))?.bytes)
  return {
    ...{ run, text: run.output?.text ?? '', calls: callsOf(transcript), events, transcript },
    ...{ requests: scripted.requests, readFile, unplayed: traffic?.unplayed() ?? [] },
  }
}

/** A port that is named and undefined would hide the default. */
const defined = <T extends object>(ports: T): Partial<T> =>
  Object.fromEntries(Object.entries(ports).filter(([, port]) => port !== undefined)) as Partial<T>

async function clientIn(world: MemoryWorld, real: Traffic | undefined) {
  const { app } = createApp(world, {
    onError: (error) => {
      throw error
    },
  })
  const { key } = await createKey(world, TENANT, ['*'])
  return createClient({
    ...{ url: 'http://strata.test', apiKey: key, retries: 0 },
    fetch: async (to, init) =>
      withTime(world, Promise.resolve(app.request(String(to), init)), real),
  })
}

function callsOf(transcript: AgentRun['transcript']): ToolCall[] {
  const results = new Map<string, Pick<ToolCall, 'result' | 'isError'>>()
  for (const { call, text, is_error } of transcript.flatMap((message) => message.results ?? []))
    results.set(call, { result: String(text), isError: is_error })
  return transcript
    .flatMap(({ parts = [] }) => parts)
    .filter(({ type }) => type === 'call')
    .map(({ id = '', tool = '', arguments: args }) => ({
      ...{ tool, arguments: String(args) },
      ...results.get(id),
    }))
}
