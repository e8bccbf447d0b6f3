/** State of the import page in its URL, and the order and counts of the steps of a plan. */

import type { components } from '../../client/index.ts'

type Schemas = components['schemas']
export type Plan = Schemas['Import']
type Step = Plan['steps'][number]
export type Finding = Schemas['FileRecord']['diagnostics'][number]
export type Action = Step['action']

export const ACTIONS = ['create', 'replace', 'keep', 'skip'] as const satisfies readonly Action[]

export interface ImportSearch {
  /** Folder of the sent files, with a trailing slash. */
  readonly from?: string
  /** Layer that receives the files. */
  readonly layer?: string
  /** Whether files are classified by content. */
  readonly loose?: true
  /** Shown action, or `findings` for files with findings; absent for all. */
  readonly show?: Action | 'findings'
  /** Path of the selected file in the import. */
  readonly sel?: string
}

const FOLDER = /^imports\/(?:[^/]+\/)+$/
export const LAYER = /^(?:base|roles\/[^/]+|repos\/[^/]+)\/$/

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function importSearch(search: Record<string, unknown>): ImportSearch {
  const { from, layer, loose, show, sel } = search
  return {
    ...(typeof from === 'string' && FOLDER.test(from) && { from }),
    ...(typeof layer === 'string' && LAYER.test(layer) && { layer }),
    ...(loose === true && { loose }),
    ...(isShow(show) && { show }),
    ...(typeof sel === 'string' && sel !== '' && { sel }),
  }
}

/** Returns the parameters of the URL without other members. */
export const linkOf = ({ from, layer, loose, show, sel }: ImportSearch): ImportSearch => ({
  ...(from && { from }),
  ...(layer && { layer }),
  ...(loose && { loose }),
  ...(show && { show }),
  ...(sel && { sel }),
})

const isShow = (value: unknown): value is Action | 'findings' =>
  value === 'findings' || ACTIONS.includes(value as Action)

/** File of a plan, with the findings of its check. */
export interface Row extends Step {
  /** Path below the import. */
  readonly name: string
  /** Status of the file's record; undefined for a file without one. */
  readonly status?: Schemas['FileRecord']['status'] | undefined
  readonly findings: readonly Finding[]
}

export function rowsOf({ from, steps, records }: Plan): Row[] {
  const byPath = new Map(records.map((record) => [record.path, record]))
  return steps.map((step) => {
    const name = step.from.slice(from.length)
    const record = byPath.get(name)
    return { ...step, name, status: record?.status, findings: record?.diagnostics ?? [] }
  })
}

export const isShown = ({ action, findings }: Row, show: ImportSearch['show']): boolean =>
  show === undefined || (show === 'findings' ? findings.length > 0 : action === show)

/** Returns the number of files per action, and of files with findings. */
export function countsOf(rows: readonly Row[]): Readonly<Record<Action | 'findings', number>> {
  const counts = { create: 0, replace: 0, keep: 0, skip: 0, findings: 0 }
  for (const { action, findings } of rows) {
    counts[action] += 1
    if (findings.length > 0) counts.findings += 1
  }
  return counts
}
