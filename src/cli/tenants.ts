/** `strata tenants`: manages the tenants of the server, for its operator. */

import { createWriteStream, openAsBlob } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { components } from '../client/index.ts'
import { quotasText, TENANT_QUOTAS, type TenantQuotas } from '../core/tenant-quotas.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { quotasOf } from './quotas.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { TenantAction } from './tenant-actions.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

type Tenant = components['schemas']['Tenant']

interface TenantOptions extends Shape {
  readonly action: TenantAction
  /** ID of the tenant. */
  readonly id?: string | undefined
  /** File of an export or import. */
  readonly file?: string | undefined
  readonly name?: string
  /** Quotas as `name=value`. */
  readonly quota?: readonly string[]
  /** Encryption of a new tenant. */
  readonly encryption?: Tenant['encryption']
  /** True if a suspension also cancels active runs. */
  readonly cancel?: true
  /** Repeated ID of the tenant to delete. */
  readonly confirm?: string
}

/** Lists tenants as a table, or performs the action on one tenant. */
export async function tenants(terminal: Terminal, options: TenantOptions): Promise<number> {
  const { action, json, name, cancel } = options
  checkUse(options)
  const quotas = quotasOf(options.quota, TENANT_QUOTAS)
  const { tenants: all } = clientOf(terminal.env)
  const show = (entries: readonly Tenant[]): number => {
    const lines = json ? entries.map(jsonLine) : tableOf(HEADS, entries.map(rowOf))
    for (const line of lines) terminal.out(line)
    return 0
  }
  if (action === 'list') {
    const entries: Tenant[] = []
    for await (const tenant of all.list({ limit: 100 })) entries.push(tenant)
    return show(entries)
  }
  const id = options.id ?? ''
  if (action === 'create') {
    const tenant = await all.create({ id, name, quotas, encryption: options.encryption })
    terminal.out(json ? jsonLine(tenant) : (tenant.key.text ?? `${id}: the key was already shown`))
    return 0
  }
  if (action === 'set') return show([await all.update(id, { name, quotas })])
  if (action === 'suspend')
    return show([await all.suspend(id, { running: cancel ? 'cancel' : 'park' })])
  if (action === 'resume') return show([await all.resume(id)])
  if (action === 'pause') return show([await all.pause(id)])
  if (action === 'delete') return show([await all.delete(id)])
  if (action === 'export') return exportTo(terminal, id, options.file ?? '')
  return importFrom(terminal, id, options)
}

async function importFrom(
  terminal: Terminal,
  id: string,
  { file = '', json }: TenantOptions,
): Promise<number> {
  // Reports a missing file by its path, which `openAsBlob` does not.
  await access(file)
  const imported = await clientOf(terminal.env).tenants.import(id, await openAsBlob(file))
  const { rows, objects } = imported
  terminal.out(json ? jsonLine(imported) : `imported ${rows} rows and ${objects} objects`)
  return 0
}

function checkUse(options: TenantOptions): void {
  const { action, id, file, name, quota = [], encryption, cancel, confirm } = options
  const hasChange = name !== undefined || quota.length > 0
  const needsFile = action === 'export' || action === 'import'
  if ((action === 'list') !== (id === undefined))
    throw new WrongUse(action === 'list' ? 'list takes no ID' : `${action} requires an ID`)
  if (needsFile !== (file !== undefined))
    throw new WrongUse(needsFile ? `${action} requires a file` : `${action} takes no file`)
  if (hasChange && action !== 'create' && action !== 'set')
    throw new WrongUse('--name and --quota require create or set')
  if (!hasChange && action === 'set') throw new WrongUse('set requires --name or --quota')
  if (encryption !== undefined && action !== 'create')
    throw new WrongUse('--encryption requires create')
  if (cancel && action !== 'suspend') throw new WrongUse('--cancel requires suspend')
  if (action === 'delete' && confirm !== id)
    throw new WrongUse(`delete removes all data of the tenant; repeat its ID: --confirm ${id}`)
}

/** Writes an export to a file, which gets its name only when the export is complete. */
async function exportTo(terminal: Terminal, id: string, file: string): Promise<number> {
  const part = `${file}.part`
  const body = await clientOf(terminal.env).tenants.export(id)
  await pipeline(Readable.fromWeb(body as never), createWriteStream(part, { mode: 0o600 }))
  if (!(await endsExport(part))) {
    await rm(part)
    terminal.err('The export ended early; try again.')
    return 1
  }
  await rename(part, file)
  terminal.err(`Exported ${id} to ${file}, which contains its data in plain text; protect it.`)
  return 0
}

/** Maximum length of the last line, in bytes. */
const LAST_LINE = 4_096

async function endsExport(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - LAST_LINE)
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - start), position: start })
    return buffer.toString('utf8').trimEnd().split('\n').at(-1)?.includes(END) === true
  } finally {
    await file.close()
  }
}
const END = '"object":"tenant_export_end"'

const HEADS = ['id', 'name', 'status', 'quotas', 'encryption', 'created_at']
const rowOf = ({ id, name, status, quotas, encryption, created_at }: Tenant) => [
  ...[id, name, status, quotasText(quotas as TenantQuotas), encryption, created_at],
]
