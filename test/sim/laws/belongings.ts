/**
 * What one tenant has is nothing to another (I19), judged in worlds in which both do the same under
 * the same names: by the mark of each tenant, by ids, and by what the API answers to a stranger.
 */

import { TENANTS } from '../world/plan.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'
import { markOf } from '../world/tenants.ts'

/** Ids that are long enough to be drawn by chance. */
const IDS = /\b[a-z]{2,4}_[0-9A-Za-z]{16,}/g
const OF_NO_TENANT = '_'

export class Belongings {
  readonly #sim: Sim
  /** By id: the tenants that have something under it. Two have the session of one thread. */
  readonly #owners = new Map<string, Set<string>>()
  /** By tenant: what the API has answered to it, as paths; and cursors with their lists. */
  readonly paths = new Map<string, Set<string>>(TENANTS.map((tenant) => [tenant, new Set()]))
  readonly cursors = new Map<string, string[]>(TENANTS.map((tenant) => [tenant, []]))

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** Something is about to be seen by a tenant, or to be stored under its name. */
  I19_nothingOfAnother(tenant: string | undefined, text: string, where: string): void {
    if (!this.#sim.twins || tenant === undefined || !TENANTS.includes(tenant as 'red')) return
    for (const other of TENANTS) {
      if (other === tenant || !text.includes(markOf(other))) continue
      this.#breach('I19_nothingOfAnother', `${where} of ${tenant} shows what ${other} has`)
    }
    for (const [id] of text.matchAll(IDS)) {
      const owners = this.#owners.get(id)
      if (!owners || owners.has(tenant)) continue
      this.#breach('I19_nothingOfAnother', `${where} of ${tenant} names ${id} of ${[...owners]}`)
    }
  }

  /** Something leaves for a model, a tool, or a receiver. */
  isShown(tenant: string | undefined, value: unknown, where: string): void {
    if (this.#sim.twins) this.I19_nothingOfAnother(tenant, JSON.stringify(value), where)
  }

  committed({ partition, writes, head }: Applied): void {
    if (!this.#sim.twins) return
    const [name = '', , id = ''] = partition.split('/')
    const bodies = writes.flatMap((write) => (write.op === 'put' ? [write.body] : []))
    const texts = head ? [...bodies, head.body] : bodies
    const tenant = name === OF_NO_TENANT ? ownerIn(head?.body) : name
    if (tenant === undefined) return
    this.#owners.set(id, (this.#owners.get(id) ?? new Set()).add(tenant))
    for (const text of texts) this.I19_nothingOfAnother(tenant, text, partition)
    this.#I19_listedUnderItsOwn(tenant, partition, [...writes, head])
  }

  /** A row is listed where its tenant looks. */
  #I19_listedUnderItsOwn(
    tenant: string,
    partition: string,
    rows: readonly (Applied['writes'][number] | Applied['head'])[],
  ): void {
    for (const row of rows) {
      const listed = row && 'listed' in row ? row.listed : undefined
      const under = listed?.under
      if (under === undefined || under.startsWith(`${tenant}/`)) continue
      this.#breach('I19_listedUnderItsOwn', `${partition} is listed under ${under}`)
    }
  }

  /** What another tenant asks for is not there, and its cursors mean nothing. */
  I19_foreignIsNotFound(tenant: string, path: string, status: number): void {
    if (status === 404 || status === 400 || status === 401 || status >= 500) return
    this.#breach('I19_foreignIsNotFound', `${tenant} asks for ${path}: ${status}`)
  }

  /** Each run counts for the tenant that has started it. */
  I19_usageIsOwn(tenant: string, total: { readonly runs: number; readonly fanouts: number }): void {
    const { runs, fanouts } = this.#sim.law
    const isOwn = ({ partition }: { partition: string }) => partition.startsWith(`${tenant}/`)
    const own = {
      runs: [...runs.values()].filter((run) => isOwn(run) && !run.spec?.parent).length,
      fanouts: [...fanouts.byPartition.values()].filter(isOwn).length,
    }
    if (total.runs <= own.runs && total.fanouts <= own.fanouts) return
    this.#breach('I19_usageIsOwn', `${tenant}: ${JSON.stringify(total)} of ${JSON.stringify(own)}`)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

/** The tenant of a row that lies outside of all tenants: of a key, of a hook. */
function ownerIn(body: string | undefined): string | undefined {
  if (body === undefined) return undefined
  const row = JSON.parse(body) as { tenant?: string; hook?: { tenant?: string } }
  return row.tenant ?? row.hook?.tenant
}
