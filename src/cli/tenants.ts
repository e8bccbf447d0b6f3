/** `strata tenants`: tenants of the server, for its operator. */

import type { components } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { TenantAction } from './tenant-actions.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

interface TenantOptions extends Shape {
  readonly action: TenantAction
  readonly id?: string
  readonly name?: string
  /** Absent: as the server is set. */
  readonly encrypted?: boolean
  /** `live_runs=10`, `files=none`. */
  readonly limits?: readonly string[]
}
type Tenant = components['schemas']['Tenant']

/** Each on a line: its id, its status, its name; a new one by the text of its key. */
export async function tenants(terminal: Terminal, options: TenantOptions): Promise<number> {
  const { action, id, name, encrypted, limits = [], json } = options
  if (name !== undefined && action !== 'create') throw new WrongUse('--name goes with create')
  if (encrypted !== undefined && action !== 'create')
    throw new WrongUse('--encrypted goes with create')
  if (limits.length > 0 && action !== 'limits') throw new WrongUse(`${action} takes no limits`)
  const { tenants: all } = clientOf(terminal.env)
  const show = (one: Tenant) => {
    const line = `${one.id} ${one.status} ${one.name ?? ''}`.trimEnd()
    terminal.out(json ? jsonLine(one) : oneLine(line))
  }
  if (action === 'list') {
    if (id !== undefined) throw new WrongUse('list takes no tenant')
    for await (const one of all.list({ limit: 100 })) show(one)
    return 0
  }
  if (id === undefined) throw new WrongUse(`${action} needs a tenant`)
  if (action === 'create') {
    const made = await all.create({ id, name, encrypted })
    terminal.out(json ? jsonLine(made) : (made.key.text ?? 'its key was shown before'))
    return 0
  }
  if (action === 'delete') {
    const gone = await all.delete(id)
    show(gone)
    for (const left of gone.deletion?.left ?? []) terminal.err(`left: ${left}`)
    return 0
  }
  if (action === 'limits') {
    const change = limitsOf(limits)
    const one = limits.length === 0 ? await all.get(id) : await all.update(id, { limits: change })
    if (json) terminal.out(jsonLine(one))
    else for (const [limit, value] of setOf(one)) terminal.out(`${limit} ${value}`)
    return 0
  }
  if (action === 'export') {
    let isWhole = false
    for await (const line of await all.export(id)) {
      isWhole = line.object === 'tenant_export_end'
      terminal.out(jsonLine(line))
      if (line.object !== 'tenant_export_end') continue
      for (const left of line.left) terminal.err(`left: ${left}`)
    }
    if (!isWhole) terminal.err('The export ended early: it has no last line.')
    return isWhole ? 0 : 1
  }
  show(await all.update(id, { suspended: action === 'suspend' }))
  return 0
}

/** The server says which names there are. */
function limitsOf(given: readonly string[]): Record<string, number | null> {
  const pairs = given.map((text) => {
    const [, name, value] = /^([a-z_]+)=(none|[0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? []
    if (!name || !value) throw new WrongUse(`${text}: a limit is set like live_runs=10`)
    return [name, value === 'none' ? null : Number(value)] as const
  })
  return Object.fromEntries(pairs)
}

const setOf = ({ limits }: Tenant) => Object.entries(limits).filter(([, value]) => value !== null)
