/**
 * `strata secrets` lists, writes, and deletes the tenant's secrets, and `strata keys reseal`
 * encrypts sealed data again. A value is read from standard input or a file and is never an
 * argument, because other users of a machine can see the arguments of processes.
 */

import { readFile } from 'node:fs/promises'
import type { components } from '../client/index.ts'
import { SECRET_NAME, SECRET_NAME_RULE } from '../core/secret.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { SecretAction } from './secret-actions.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

type Secret = components['schemas']['Secret']

interface SecretOptions extends Shape {
  readonly action: SecretAction
  readonly name?: string
  readonly host: readonly string[]
  readonly anyHost?: true
  readonly use: readonly string[]
  readonly fromFile?: string
  /** End user who owns the secret. */
  readonly subject?: string
}

/** Performs an action on the tenant's secrets. */
export async function secrets(terminal: Terminal, options: SecretOptions): Promise<number> {
  const { action, name, host, anyHost, use, fromFile, subject } = options
  const hasMembers = host.length > 0 || anyHost || use.length > 0 || fromFile !== undefined
  if (action !== 'set' && hasMembers)
    throw new WrongUse('--host, --any-host, --use, and --from-file require set')
  if (subject?.trim() === '') throw new WrongUse('--subject must not be empty')
  if (action === 'list') {
    if (name !== undefined) throw new WrongUse('list accepts no name')
    return list(terminal, options)
  }
  if (name === undefined) throw new WrongUse(`${action} requires the name of a secret`)
  if (!SECRET_NAME.test(name)) throw new WrongUse(SECRET_NAME_RULE)
  return action === 'set' ? set(terminal, name, options) : remove(terminal, name, options)
}

async function set(terminal: Terminal, name: string, options: SecretOptions): Promise<number> {
  const { host, anyHost, use, json } = options
  if (host.length > 0 === (anyHost === true))
    throw new WrongUse('set requires --host, such as api.github.com, or --any-host')
  const value = await secretValue(terminal, options)
  const body = {
    value,
    ...(anyHost ? { any_host: true } : { hosts: [...host] }),
    ...(use.length > 0 && { uses: use as Secret['uses'] }),
  }
  const secret = await clientOf(terminal.env).secrets.put(name, body, ownerOf(options))
  for (const warning of secret.warnings) terminal.err(warning)
  terminal.out(json ? jsonLine(secret) : `${secret.name} version ${secret.version}`)
  return 0
}

const ownerOf = ({ subject }: SecretOptions) => ({ query: { subject } })

async function secretValue(terminal: Terminal, { fromFile }: SecretOptions): Promise<string> {
  if (fromFile === undefined && terminal.isInteractive)
    throw new WrongUse('pipe the value to standard input, or pass --from-file')
  const text =
    fromFile === undefined
      ? await terminal.input()
      : await readFile(fromFile, 'utf8').catch(() => {
          throw new WrongUse(`file not found or not readable: ${fromFile}`)
        })
  // `echo` and most editors end the text with a line break, which is not part of the value.
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new WrongUse('the value is empty')
  // The decoder has replaced the invalid bytes, so the server would store another value.
  if (value.includes('\ufffd')) throw new WrongUse('the value is not UTF-8')
  return value
}

async function remove(terminal: Terminal, name: string, options: SecretOptions): Promise<number> {
  const { json } = options
  await clientOf(terminal.env).secrets.delete(name, ownerOf(options))
  terminal.out(json ? jsonLine({ name, deleted: true }) : 'deleted')
  return 0
}

async function list(terminal: Terminal, { json, subject }: SecretOptions): Promise<number> {
  const all: Secret[] = []
  const pages = clientOf(terminal.env).secrets.list({ limit: 100, subject })
  for await (const secret of pages) all.push(secret)
  const lines = json ? all.map(jsonLine) : tableOf(HEADS, all.map(rowOf))
  for (const line of lines) terminal.out(line)
  return 0
}

const HEADS = ['name', 'version', 'hosts', 'uses', 'updated_at']

const rowOf = ({ name, version, any_host, hosts, uses, updated_at }: Secret) => [
  name,
  version,
  any_host ? 'any' : oneLine(hosts.join(',')),
  uses.join(','),
  updated_at,
]

/** Encrypts sealed data again; returns 1 if some values could not be decrypted. */
export async function reseal(terminal: Terminal, { json }: Shape): Promise<number> {
  const result = await clientOf(terminal.env).secrets.reseal()
  terminal.out(json ? jsonLine(result) : `${result.resealed} values encrypted again`)
  for (const name of result.lost) terminal.err(`not decrypted by any key: ${name}`)
  for (const kind of json ? [] : result.left) terminal.err(`left: ${kind}`)
  return result.lost.length > 0 ? 1 : 0
}
