/**
 * `strata run` and `strata tail`: follow a run until it ends, from its start or from its first
 * event.
 */

import { readFileSync } from 'node:fs'
import { ConnectionError, type Strata } from '../client/index.ts'
import { jsonVisible, oneLine } from '../lib/invisible-characters.ts'
import { clientOf, sentenceOf } from './api.ts'
import { withFiles } from './attach.ts'
import type { LogEvent } from './event-text.ts'
import { isShortened, shownRun } from './run-output.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

export interface RunOptions {
  /** Input text of the run; `-` reads standard input. */
  readonly input: string
  readonly agent?: string | undefined
  readonly role?: string | undefined
  readonly repoDir?: string | undefined
  readonly session?: string | undefined
  readonly model?: string | undefined
  /** Paths of files to attach to the input. */
  readonly attach?: readonly string[] | undefined
  readonly timeout?: number | undefined
  /** Path of a JSON Schema file. */
  readonly schema?: string | undefined
  /** Metadata entries of the run in the form `key=value`. */
  readonly metadata?: readonly string[] | undefined
  readonly label?: string | undefined
  /** End user on whose behalf the run acts. */
  readonly subject?: string | undefined
  /** Whether to start the run without following its events. */
  readonly detach?: boolean | undefined
  readonly verbose?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Exit code of `strata run` if the run waits for a person but standard input is not a terminal. */
const WAITS_FOR_PERSON = 3

/**
 * Starts a run and follows it, unless detached. The exit code is 0 if the run completed, and 3 if
 * the run waits for a person while standard input is not a terminal.
 */
export async function run(terminal: Terminal, options: RunOptions): Promise<number> {
  const text = options.input === '-' ? await terminal.input() : options.input
  if (text.trim() === '') throw new WrongUse('the input is empty')
  const input = await withFiles(text, options.attach ?? [])
  const strata = clientOf(terminal.env)
  const { agent, role, repoDir: repo_dir, session: session_id, model } = options
  const { timeout, schema, metadata, label, subject } = options
  const created = await strata.runs.create({
    ...{ input, agent, role, repo_dir, session_id, model, label, subject },
    limits: timeout === undefined ? undefined : { timeout_seconds: timeout },
    output_schema: schema === undefined ? undefined : schemaIn(schema),
    metadata: metadata && Object.fromEntries(metadata.map(keyAndValue)),
  })
  terminal.out(options.json ? jsonLine(created) : oneLine(created.id))
  if (options.detach) return 0
  return followed(terminal, strata, created.id, { ...options, isAttended: terminal.isInteractive })
}

const keyAndValue = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function schemaIn(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new WrongUse(`${path} is not a readable JSON file: ${(error as Error).message}`)
  }
}

/** Prints the events of a run until the run ends; returns 0 if the run completed. */
export function tail(
  terminal: Terminal,
  id: string,
  options: Pick<RunOptions, 'json' | 'verbose'> = {},
): Promise<number> {
  return followed(terminal, clientOf(terminal.env), id, options)
}

interface FollowOptions extends Pick<RunOptions, 'json' | 'verbose'> {
  /** False if standard input is not a terminal, so no person can answer. */
  readonly isAttended?: boolean | undefined
}

async function followed(
  terminal: Terminal,
  strata: Strata,
  id: string,
  { json = false, verbose = false, isAttended = true }: FollowOptions,
): Promise<number> {
  const runView = shownRun(terminal, verbose)
  const isParked = waitsForPerson(id)
  const onLost = (error: unknown): void => terminal.err(`strata: ${sentenceOf(error)}; retrying …`)
  const { runs, fanouts } = strata
  const kind = id.startsWith('fan_') ? fanouts : runs
  let last: string | undefined
  try {
    for await (const event of kind.stream(id, { onLost })) {
      if (!('seq' in event)) {
        if (!json && event.type === 'assistant.delta') runView.showDelta(event)
        continue
      }
      last = event.type
      const logEvent = event as LogEvent
      if (logEvent.type === 'run.completed') await wholeAnswer(strata, logEvent, json, runView.text)
      if (json) terminal.out(jsonLine(event))
      else runView.show(logEvent)
      if (isForFunction(logEvent, id)) {
        terminal.err('strata: the run waits for a function result from the program that started it')
        continue
      }
      if (isParked(logEvent) && !isAttended) {
        terminal.err(
          `strata: the run waits for a person; to continue, run strata tail ${oneLine(id)}`,
        )
        return WAITS_FOR_PERSON
      }
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const more = `to continue, run strata tail ${oneLine(id)}`
    throw new Error(`${sentenceOf(error)} (${more})`, { cause: error })
  }
  if (!json) runView.end()
  // Without a last event, the server has no events beyond those already printed.
  const end = last ?? `run.${(await kind.get(id)).status}`
  return end.endsWith('.completed') ? 0 : 1
}

const isForFunction = ({ run_id, type, data }: LogEvent, id: string): boolean =>
  run_id === id && type === 'run.waiting' && data.on === 'function'

/** Returns a function that reports, after each event, whether the run waits only for people. */
function waitsForPerson(id: string): (event: LogEvent) => boolean {
  const subagents = new Set<unknown>()
  return ({ run_id, type, data }) => {
    if (run_id !== id) return false
    if (type === 'subagent.waiting' && data.on !== 'model') subagents.add(data.run_id)
    if (type === 'subagent.resumed') subagents.delete(data.run_id)
    if (type !== 'run.waiting') return false
    if (data.on === 'subagents') return data.stopped === true && subagents.size > 0
    return data.on === 'approval' || data.on === 'input'
  }
}

/**
 * Reads the full answer of a run from the run itself, because the log contains only the beginning
 * of a long answer.
 */
async function wholeAnswer(
  { runs }: Strata,
  { run_id, data }: LogEvent,
  json: boolean,
  show: (text: string) => void,
): Promise<void> {
  const output = data.output as { text?: unknown } | undefined
  if (json || !isShortened(output?.text)) return
  const fullRun = await runs.get(run_id)
  if (fullRun.output) show(fullRun.output.text)
}

export const jsonLine = (value: unknown): string => jsonVisible(JSON.stringify(value))
