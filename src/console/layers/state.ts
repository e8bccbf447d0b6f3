/** State of the page of layers in its address, and the layer that a file belongs to. */

import type { Choice } from '../effective/state.ts'

/** Tabs beside the editor, in their order. */
export const TABS = ['findings', 'versions', 'uses'] as const
export type Tab = (typeof TABS)[number]

/** Contents of a new file. */
export const TEMPLATES = ['agent', 'skill', 'config', 'empty'] as const
export type Template = (typeof TEMPLATES)[number]

export interface LayersSearch {
  /** Prefix of the layer whose files are listed; absent if the file names it. */
  readonly layer?: string
  /** Key of the open file. */
  readonly file?: string
  readonly line?: number
  /** Selected version; for a server with its name, as `docs/ver_…`. */
  readonly v?: string
  /** Template of the new file in the open dialog. */
  readonly new?: Template
  /** Open tab, which covers the editor on narrow pages; `migrate` is the plan of a migration. */
  readonly pane?: Tab | 'migrate'
}

const textOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function layersSearch(search: Readonly<Record<string, unknown>>): LayersSearch {
  const file = textOf(search.file)
  const layer = textOf(search.layer).trim()
  const line = Number(textOf(search.line))
  const version = textOf(search.v)
  const template = TEMPLATES.find((name) => name === search.new)
  const pane = [...TABS, 'migrate' as const].find((name) => name === search.pane)
  const prefix = layer === '' || layer.endsWith('/') ? layer : `${layer}/`
  const isOwnLayer = prefix === '' || (file !== '' && prefix === layerOf(file))
  return {
    ...(isOwnLayer ? {} : { layer: prefix }),
    ...(file === '' ? {} : { file }),
    ...(file !== '' && Number.isInteger(line) && line > 0 ? { line } : {}),
    ...(file !== '' && version !== '' ? { v: version } : {}),
    ...(template ? { new: template } : {}),
    ...(pane && (file !== '' || pane === 'migrate') ? { pane } : {}),
  }
}

export const BASE = 'base/'

/** Returns the prefix of the layer that contains a file; empty for a file in no folder. */
export const layerOf = (path: string): string =>
  /^(?:roles|repos)\/[^/]+\/|^[^/]+\//.exec(path)?.[0] ?? ''

/** Returns the prefix of the layer whose files are listed. */
export function openLayer({ layer, file }: LayersSearch): string {
  if (file === undefined) return layer ?? BASE
  return layer !== undefined && file.startsWith(layer) ? layer : layerOf(file)
}

/** Returns the choice of layers with which a run reads this layer. */
export function choiceFor(layer: string): Choice {
  const [, role] = /^roles\/([^/]+)\/$/.exec(layer) ?? []
  if (role !== undefined) return { role }
  const folder = layer.replace(/\/$/, '')
  return layer === BASE || folder === '' ? {} : { repo: folder }
}

/** Returns the selected version and, for a server, its name. */
export function versionIn(v: string | undefined): { readonly id: string; readonly name: string } {
  const text = v ?? ''
  const at = text.lastIndexOf('/')
  return { id: text.slice(at + 1), name: at < 0 ? '' : text.slice(0, at) }
}
