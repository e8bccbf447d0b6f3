/**
 * `strata secrets`: secrets of the server; set, listed without their values, deleted, sealed anew.
 * A value is read from the standard input or typed at a prompt: arguments stand in lists of
 * processes.
 */

import type { SecretUse } from '../core/secret.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { SecretAction } from './secret-actions.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

interface SecretOptions extends Shape {
  readonly action: SecretAction
  readonly name?: string
  readonly host: readonly string[]
  readonly anyHost?: true
  readonly use?: readonly SecretUse[]
}

export async function secrets(terminal: Terminal, options: SecretOptions): Promise<number> {
  const { action, host, anyHost, use } = options
  if (action !== 'set' && (host.length > 0 || anyHost || use))
    throw new WrongUse('--host, --any-host and --use go with set')
  if (action === 'set') return set(terminal, options)
  if (action === 'delete') return remove(terminal, options)
  if (options.name !== undefined) throw new WrongUse(`${action} takes no name`)
  return action === 'list' ? list(terminal, options) : reseal(terminal, options)
}

const named = ({ action, name }: SecretOptions): string => {
  if (name === undefined) throw new WrongUse(`${action} needs the name of a secret`)
  return name
}

async function set(terminal: Terminal, options: SecretOptions): Promise<number> {
  const { host, anyHost, use, json } = options
  const name = named(options)
  if (host.length > 0 === (anyHost === true))
    throw new WrongUse('set needs a --host, such as github.com, or --any-host')
  const typed = await (terminal.hiddenLine?.(`${name}: `) ?? terminal.input())
  // One line end comes with `echo` and with most files; a key of many lines keeps its own.
  const value = typed.replace(/\r?\n$/, '')
  if (value === '') throw new WrongUse('the standard input is empty: it holds the value')
  const to = anyHost ? { any_host: true } : { hosts: [...host] }
  const put = await clientOf(terminal.env).secrets.put(name, {
    value,
    ...to,
    ...(use && { uses: [...use] }),
  })
  for (const warning of put.warnings) terminal.err(warning)
  terminal.out(json ? jsonLine(put) : `${put.name} version ${put.version}`)
  return 0
}

async function remove(terminal: Terminal, options: SecretOptions): Promise<number> {
  const name = named(options)
  await clientOf(terminal.env).secrets.delete(name)
  terminal.out(options.json ? jsonLine({ name, deleted: true }) : 'deleted')
  return 0
}

/** Each on a line: its name, its version, where it may go, what it is for. */
async function list(terminal: Terminal, { json }: Shape): Promise<number> {
  const { data } = await clientOf(terminal.env).secrets.list()
  for (const one of data) {
    const to = one.any_host ? 'any host' : one.hosts.join(',')
    terminal.out(
      json ? jsonLine(one) : oneLine(`${one.name} ${one.version} ${to} ${one.uses.join(',')}`),
    )
  }
  return 0
}

/** Exit code 1 when some could not be opened: the key that sealed them must not go. */
async function reseal(terminal: Terminal, { json }: Shape): Promise<number> {
  const done = await clientOf(terminal.env).secrets.reseal({})
  terminal.out(json ? jsonLine(done) : `${done.resealed} sealed anew`)
  for (const lost of done.lost) terminal.err(`not opened by any key: ${lost}`)
  for (const left of done.left) terminal.err(`left: ${left}`)
  return done.lost.length > 0 ? 1 : 0
}
