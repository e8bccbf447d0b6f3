/** State of the page that its address contains: the layers, the tab, the filter, and the entry. */

export const TABS = ['agents', 'skills', 'servers', 'schedules', 'tools', 'missing'] as const
export type Tab = (typeof TABS)[number]

/** Layers whose configuration is shown; the base layer applies if no member is given. */
export interface Choice {
  readonly role?: string
  readonly repo?: string
  readonly base?: string
}

export interface EffectiveSearch extends Choice {
  readonly kind?: Exclude<Tab, 'agents'>
  /** Name of the open entry. */
  readonly name?: string
  /** Text that the entries contain. */
  readonly q?: string
  /** Other side of a comparison: a digest, or layers as `role=…&repo=…`; `-` is the base layer. */
  readonly cmp?: string
}

const CHOICE = ['role', 'repo', 'base'] as const

/** The router parses a value that looks like a number. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function effectiveSearch(search: Readonly<Record<string, unknown>>): EffectiveSearch {
  const kind = TABS.find((tab) => tab === search.kind)
  const texts = [...CHOICE, 'name', 'q', 'cmp'].flatMap((member) => {
    const text = textOf(search[member])
    return text === '' ? [] : [[member, text] as const]
  })
  return { ...Object.fromEntries(texts), ...(kind && kind !== 'agents' ? { kind } : {}) }
}

export const choiceOf = (search: Choice): Choice =>
  Object.fromEntries(CHOICE.flatMap((member) => (search[member] ? [[member, search[member]]] : [])))

/** Returns the input of `POST /v1/resolve` for these layers. */
export const inputOf = ({ role, repo, base }: Choice) => ({
  ...(role && { role }),
  ...(repo && { repo_dir: repo }),
  ...(base && { base_dir: base }),
})

export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Returns the other side of a comparison in the address. */
export function comparedWith(cmp: string): Choice | { readonly digest: string } {
  if (isDigest(cmp)) return { digest: cmp }
  return choiceOf(Object.fromEntries(new URLSearchParams(cmp)))
}

/** Returns the text of the address that `comparedWith` reads. */
export const cmpOf = (choice: Choice): string =>
  new URLSearchParams({ ...choiceOf(choice) }).toString() || '-'

/** Returns the names of the chosen layers; empty for the base layer alone. */
export const summaryOf = (choice: Choice): string =>
  CHOICE.flatMap((member) => choice[member] || []).join(' · ')

interface ListedLayer {
  readonly layer: string
  readonly kind: string
}

/** Returns the names that each field of the choice suggests. */
export function optionsOf(
  layers: readonly ListedLayer[],
): Readonly<Record<keyof Choice, readonly string[]>> {
  const folders = (kind: string): readonly string[] =>
    layers.flatMap((entry) => (entry.kind === kind ? [entry.layer.replace(/\/$/, '')] : []))
  return {
    role: folders('role').map((folder) => folder.replace(/^roles\//, '')),
    repo: folders('repo'),
    base: [...folders('base'), ...folders('repo')],
  }
}
