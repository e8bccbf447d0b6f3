/**
 * One run of an agent in memory: files as a layer has them, an input, a model that answers from a
 * script. It goes through the same API as any run, so what would be refused there is refused here.
 */

import { type components, createClient, type RunEvent } from '../client/index.ts'
import { createKey } from '../engine/tenant/api-keys.ts'
import { type MemoryOverrides, type MemoryWorld, memoryWorld } from '../hosts/memory/world.ts'
import { createApp } from '../http/app.ts'
import { type ScriptModel, scriptModel } from './script-model.ts'
import { settle, withTime } from './settle.ts'

type Schemas = components['schemas']

/** Texts by their keys below `base/`, `roles/<role>/` or `repos/<name>/`. */
export type Files = Readonly<Record<string, string>>

export interface RunAgentOptions
  extends Pick<MemoryOverrides, 'search' | 'shell' | 'tools' | 'web'> {
  /** The model's script, where the input is prose; its grammar stands in `script.ts`. */
  readonly script?: string
  /** Takes the place of the scripted one. It must answer from memory: time is simulated. */
  readonly model?: MemoryOverrides['model']
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
}

const TENANT = 'test'

/**
 * Runs until everything has ended or waits for a person. Rejects with `ProblemError` where the API
 * would refuse the files or the run.
 */
export async function runAgent(
  files: Files,
  input: string | Schemas['RunInput'],
  options: RunAgentOptions = {},
): Promise<AgentRun> {
  const { script, model, ...ports } = options
  const body = typeof input === 'string' ? { input } : input
  const text = typeof body.input === 'string' ? body.input : undefined
  if (script !== undefined && text === undefined)
    throw new TypeError('a script stands for an input that is a text')
  const scripted = scriptModel(
    script === undefined || text === undefined ? {} : { scripts: { [text]: script } },
  )
  const world = memoryWorld({ ...ports, model: model ?? scripted })
  const strata = await clientIn(world)
  for (const [path, content] of Object.entries(files)) await strata.files.put(path, content)
  const { id } = await strata.runs.create(body)
  await settle(world)
  const run = await strata.runs.get(id)
  const { data: transcript } = await strata.runs.transcript(id)
  const events: RunEvent[] = []
  for await (const event of strata.runs.events(id, { limit: 100 })) events.push(event)
  const readFile = async (path: string): Promise<string> =>
    new TextDecoder().decode((await strata.files.get(path))?.bytes)
  const calls = callsOf(transcript)
  const { requests } = scripted
  return { run, text: run.output?.text ?? '', calls, events, transcript, requests, readFile }
}

async function clientIn(world: MemoryWorld) {
  const { app } = createApp(world, {
    onError: (error) => {
      throw error
    },
  })
  const { key } = await createKey(world, TENANT, ['*'])
  return createClient({
    ...{ url: 'http://strata.test', apiKey: key, retries: 0 },
    fetch: async (to, init) => withTime(world, Promise.resolve(app.request(String(to), init))),
  })
}

function callsOf(transcript: AgentRun['transcript']): ToolCall[] {
  const results = new Map<string, Pick<ToolCall, 'result' | 'isError'>>()
  for (const { call, text, is_error } of transcript.flatMap((one) => one.results ?? []))
    results.set(call, { result: String(text), isError: is_error })
  return transcript
    .flatMap(({ parts = [] }) => parts)
    .filter(({ type }) => type === 'call')
    .map(({ id = '', tool = '', arguments: written }) => ({
      ...{ tool, arguments: String(written) },
      ...results.get(id),
    }))
}
