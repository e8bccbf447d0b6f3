/**
 * Runs an agent in memory from layer files, an input, and a model that answers from a script. Runs
 * use the same API as in a deployment, so rejections are the same.
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

/**
 * File contents, as strings or bytes, by key below `base/`, `roles/<role>/`, or `repos/<name>/`.
 */
export type Files = Readonly<Record<string, string | Uint8Array>>

export interface RunAgentOptions
  extends Pick<MemoryOverrides, 'search' | 'shell' | 'tools' | 'web'> {
  /** Script of the scripted model, if the input is prose; `script.ts` defines the grammar. */
  readonly script?: string
  /**
   * Model that replaces the scripted model. It must answer from memory, because time is simulated.
   */
  readonly model?: MemoryOverrides['model']
  /**
   * Deployment settings for real models and MCP servers. During their calls, time advances in real
   * time, but every run starts at the same time in January 2027.
   */
  readonly settings?: TestSettings
  /**
   * Path of the recording file to write, with real models and servers. The file contains each model
   * call with its stream and each exchange with a server, without headers, keys, or secrets.
   * Repeated secret values become `[redacted]`. Settings default to this process's environment
   * variables. `model` and `tools` replace the real ones.
   */
  readonly record?: string
  /**
   * Path of a recording that answers all calls without a network. A call outside of the recording
   * rejects the run with `ReplayError`, which describes the differences.
   */
  readonly replay?: string
  /**
   * Result of `record()` or `replay()`, which several runs may share; the run does not close it.
   */
  readonly traffic?: Traffic
}

/** Tool call of the run; calls are in the order in which the model requested them. */
export interface ToolCall {
  readonly tool: string
  /** Arguments of the call, as JSON text written by the model. */
  readonly arguments: string
  /** Result of the tool call; absent while a person must still decide. */
  readonly result?: string
  readonly isError?: boolean
}

export interface AgentRun {
  /** Run as returned by `GET /v1/runs/{id}`: `status`, `output`, `usage`, `waiting_on` … */
  readonly run: Schemas['Run']
  /** Text of the run's answer; empty if the run has none. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly events: readonly RunEvent[]
  readonly transcript: readonly Schemas['TranscriptMessage'][]
  /** Requests that the scripted model received; empty with a custom model. */
  readonly requests: ScriptModel['requests']
  /** Reads a file after the run has ended, including files that the run wrote. */
  readonly readFile: (path: string) => Promise<string>
  /** Sentences about recorded calls that the run did not use; empty without a recording. */
  readonly unplayed: readonly string[]
}

/**
 * Runs an agent until all runs have ended or wait for a person. Rejects with `ProblemError` if the
 * API rejects the files or the run.
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
    // Traffic is checked first, because a missing recorded call causes later errors.
    traffic?.check()
    throw error
  } finally {
    if (traffic !== options.traffic) await traffic?.close()
  }
}

/** Mutually exclusive options, because each determines how models and servers are reached. */
const WAYS = ['script', 'model', 'replay', 'record', 'settings', 'traffic'] as const
/** Options that can be combined, because a recording may replace some of the real ports. */
const TOGETHER: ReadonlySet<string> = new Set(['record', 'settings', 'model'])
/** Options that also provide MCP servers to the run. */
const ANSWERING: ReadonlySet<string> = new Set(['replay', 'settings', 'traffic'])

async function trafficOf(options: RunAgentOptions): Promise<Traffic | undefined> {
  const ways = WAYS.filter((way) => options[way] !== undefined)
  const recorded = options.record !== undefined && ways.every((way) => TOGETHER.has(way))
  if (ways.length > 1 && !recorded)
    throw new TypeError(`${ways.join(' and ')} are mutually exclusive; each provides the answers`)
  const { settings, model, tools } = options
  const answering = ways.find((way) => ANSWERING.has(way))
  if (tools !== undefined && options.record === undefined && answering !== undefined)
    throw new TypeError(`tools and ${answering} are mutually exclusive; each provides the answers`)
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
  // Custom tool ports are called through the recorder, so that their calls are recorded.
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

/** Removes ports that are undefined, because they would override the defaults. */
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
