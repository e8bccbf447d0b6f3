/** `strata hooks`: lists inbound hooks, makes one, or tries one on a payload out of a file. */

import { readFile } from 'node:fs/promises'
import type { components } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import { addressOf, clientOf } from './api.ts'
import type { HookAction } from './hook-actions.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

type Schemas = components['schemas']

interface HookOptions extends Shape {
  readonly action: HookAction
  readonly id: string | undefined
  readonly payload?: string
  readonly header: readonly string[]
  readonly template?: string
  readonly scheme?: string
  readonly agent?: string
  readonly event: readonly string[]
}

export async function hooks(terminal: Terminal, given: HookOptions): Promise<number> {
  if (given.action === 'try') return await tried(terminal, given)
  if (given.id !== undefined) throw new WrongUse(`${given.action} takes no id`)
  return given.action === 'create' ? await created(terminal, given) : await listed(terminal, given)
}

async function listed(terminal: Terminal, { json }: HookOptions): Promise<number> {
  for await (const one of clientOf(terminal.env).hooks.list({ limit: 100 })) {
    const { id, scheme, run, description } = one
    const line = [id, scheme.padEnd(8), run.agent, description ?? ''].join(' ').trimEnd()
    terminal.out(json ? jsonLine(one) : oneLine(line))
  }
  return 0
}

async function created(terminal: Terminal, given: HookOptions): Promise<number> {
  const { scheme, agent, event, json } = given
  if (scheme === undefined) throw new WrongUse('--scheme is missing')
  const made = await clientOf(terminal.env).hooks.create({
    // The server says which it knows.
    scheme: scheme as Schemas['HookInput']['scheme'],
    ...(agent === undefined ? {} : { agent }),
    ...(event.length === 0 ? {} : { events: [...event] }),
    ...(await templateOf(given)),
  })
  if (json) terminal.out(jsonLine(made))
  else {
    terminal.out(`${made.id} ${addressOf(terminal.env).url}${made.url_path}`)
    if (made.secret) terminal.out(`secret, shown once: ${made.secret}`)
  }
  return 0
}

async function tried(terminal: Terminal, given: HookOptions): Promise<number> {
  const { id, payload: file, header, event, json } = given
  if (id === undefined) throw new WrongUse('the id of a hook is missing')
  if (file === undefined) throw new WrongUse('--payload is missing: a file, or - for the input')
  const trial = await clientOf(terminal.env).hooks.try(id, {
    payload: jsonIn(file === '-' ? await terminal.input() : await textOf(file), file),
    headers: Object.fromEntries(header.map(pairOf)),
    ...(event.length === 0 ? {} : { events: [...event] }),
    ...(await templateOf(given)),
  })
  if (json) terminal.out(jsonLine(trial))
  else shown(terminal, trial)
  return trial.starts_run ? 0 : 1
}

function shown(terminal: Terminal, trial: Schemas['HookTrial']): void {
  const { run, input, missing, cut, media, event } = trial
  if (input !== null) terminal.out(input)
  const session = run.session_id ? `, session ${run.session_id}` : ''
  if (trial.starts_run) terminal.err(oneLine(`It would start ${run.agent}${session}.`))
  else terminal.err(oneLine(`It would start no run: ${trial.reason}`))
  terminal.err(oneLine(`Kind of event: ${event ?? 'none'}`))
  if (missing.length > 0) terminal.err(oneLine(`Not in the payload: ${missing.join(', ')}`))
  if (cut.length > 0) terminal.err(oneLine(`Too long, the beginning counts: ${cut.join(', ')}`))
  const lost = media.filter(({ found }) => !found).map(({ path }) => path)
  if (lost.length > 0) terminal.err(oneLine(`No picture or file at ${lost.join(', ')}`))
}

const templateOf = async ({ template }: HookOptions) =>
  template === undefined ? {} : { template: await textOf(template) }

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new WrongUse(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongUse(`${file} holds no JSON`)
  }
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at <= 0) throw new WrongUse('a header is written like X-GitHub-Event: issues')
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
