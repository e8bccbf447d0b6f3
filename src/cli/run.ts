/**
 * `strata run` and `strata tail`: follow a run from its start, or from its first event, to its end.
 */

import { randomUUID } from 'node:crypto'
import { jsonVisible, oneLine } from '../lib/visible.ts'
import { askJson, type Server, serverOf, Unreachable } from './api.ts'
import { withFiles } from './attach.ts'
import { follow, isLast, type Seen } from './events.ts'
import { isShortened, shownRun } from './shown-run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

export interface RunOptions {
  /** `-`: the standard input. */
  readonly input: string
  readonly agent?: string | undefined
  readonly role?: string | undefined
  readonly repoDir?: string | undefined
  readonly session?: string | undefined
  /** Paths of files. */
  readonly attach?: readonly string[] | undefined
  readonly json?: boolean | undefined
}

const TRIES = 6

/** Starts a run and follows it; 0 when it completed. */
export async function run(terminal: Terminal, options: RunOptions): Promise<number> {
  const text = options.input === '-' ? await terminal.input() : options.input
  if (text.trim() === '') throw new WrongUse('the input is empty')
  const input = await withFiles(text, options.attach ?? [])
  const server = serverOf(terminal.env)
  const { agent, role, repoDir: repo_dir, session: session_id } = options
  // Under its key a request that is sent again is the same run.
  const created = await askJson<{ id: string }>(server, '/v1/runs', {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    json: { input, agent, role, repo_dir, session_id },
    tries: TRIES,
  })
  terminal.out(options.json ? jsonLine(created) : oneLine(created.id))
  return followed(terminal, server, created.id, options.json === true)
}

/** Prints the events of a run until it ends; 0 when it completed. */
export function tail(
  terminal: Terminal,
  id: string,
  options: { readonly json?: boolean | undefined } = {},
): Promise<number> {
  return followed(terminal, serverOf(terminal.env), id, options.json === true)
}

async function followed(
  terminal: Terminal,
  server: Server,
  id: string,
  json: boolean,
): Promise<number> {
  const shown = shownRun(terminal)
  const away = (why: string): void => terminal.err(`strata: ${why}; trying again …`)
  try {
    for await (const event of follow(server, id, away)) {
      if ('seq' in event && isLast(event)) await wholeAnswer(server, id, event, json, shown.text)
      if (!json) shown.show(event)
      else if ('seq' in event) terminal.out(jsonLine(event))
      if (isLast(event)) return event.type.endsWith('.completed') ? 0 : 1
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    throw new Error(`${error.message} (go on with: strata tail ${oneLine(id)})`, { cause: error })
  }
  // The server has no more events, and none of them was the end.
  const { status } = await askJson<{ status: string }>(server, `/v1/runs/${id}`)
  return status === 'completed' ? 0 : 1
}

/** The log shows a long answer by its beginning: the run has it whole. */
async function wholeAnswer(
  server: Server,
  id: string,
  { data }: Seen,
  json: boolean,
  show: (text: string) => void,
): Promise<void> {
  const output = data.output as { text?: unknown } | undefined
  if (json || !isShortened(output?.text) || !id.startsWith('run_')) return
  const whole = await askJson<{ output: { text: string } | null }>(server, `/v1/runs/${id}`)
  if (whole.output) show(whole.output.text)
}

export const jsonLine = (value: unknown): string => jsonVisible(JSON.stringify(value))
