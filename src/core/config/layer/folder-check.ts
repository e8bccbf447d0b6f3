/**
 * Checks the files of a folder without resolving them: as a layer, or as a folder of layers such as
 * `base/`. `loose` also classifies files outside of any layer by content, for a whole library.
 * `strata check` and the import of a layer use the same check, so their records are equal.
 */

import { segmentFault } from '../../../lib/key.ts'
import { DEFAULT_POLICY } from '../../policy.ts'
import { note, warning } from '../diagnostic.ts'
import type { Diagnostic, FileRecord, LayerKind, Resolved } from '../types.ts'
import { withSettings } from './claude-settings.ts'
import { type CompiledLayer, compileLayer, type Parsed, parseLayerFile } from './compile.ts'
import type { FoldInput } from './fold-input.ts'
import { gitRule, isOfTests, type LeftOut } from './ignore-rules.ts'
import { filesToRead, type LayerPlan, planLayer } from './layer.ts'
import { looseRecords } from './library-scan.ts'
import { fold } from './resolve.ts'

/** Advice about a link that is not followed. */
export const LINK_HINT = 'replace it with the files, or list it in .strataignore'

type Read = (path: string) => Uint8Array

/** Entry of a folder that is not read. */
export interface Unread {
  readonly path: string
  readonly why: string
  readonly link: boolean
  /** Whether the caller excluded the folder from reading. */
  readonly closed?: boolean
}

/** Files of a folder, with their contents and the rules that exclude files. */
export interface FolderListing {
  readonly folder: {
    /** Paths of the files below the folder, with slashes, in key order. */
    readonly files: readonly string[]
    /** Entries that are not read, each with the reason. */
    readonly others: readonly Unread[]
  }
  readonly rules: LeftOut
  readonly read: Read
  /** Parsed files of layers by path, if the caller parsed them; other files are parsed when read. */
  readonly parsed?: ReadonlyMap<string, Parsed>
}

type ModelLack = FoldInput['modelLack']

interface Checked {
  /** Check results of the files, sorted by path. */
  readonly records: readonly FileRecord[]
  /** Number of files and folders ignored by git. */
  readonly leftOut: number
}

interface JudgeOptions {
  readonly loose: boolean
  /** Function that explains why a model is unknown; if absent, every model counts as known. */
  readonly modelLack?: ModelLack | undefined
}

/** Returns the files that git does not ignore. */
export const filesToCheck = ({ folder, rules }: FolderListing): readonly string[] =>
  folder.files.filter((path) => gitRule(rules.ignored(path)) === undefined)

/** Returns the check results of all files that git does not ignore. */
export function checkListing(
  listing: FolderListing,
  { loose, modelLack = () => undefined }: JudgeOptions,
): Checked {
  const { folder, rules, read } = listing
  const files = filesToCheck(listing)
  const unreadFiles = folder.others.filter(({ closed }) => closed !== true)
  const inLayers = layerRecords(files, listing, modelLack)
  const fileRecords = loose ? withLoose(inLayers, looseRecords(files, read)) : inLayers
  const judgedRecords = fileRecords.map((record) =>
    withSettings(saidOfTests(storable(record), read), read),
  )
  const records = [...judgedRecords, ...unreadFiles.map(unread)]
    .map((record) => withIgnoreRule(record, rules))
    .sort(byKey)
  const ignored = folder.others.filter(
    ({ closed, why: reason }) => closed === true && reason !== 'git',
  ).length
  return { records, leftOut: ignored + folder.files.length - files.length }
}

/** Classifies files outside of layers by content; findings about files in layers stay unchanged. */
function withLoose(
  records: readonly FileRecord[],
  loose: readonly FileRecord[],
): readonly FileRecord[] {
  const looseByPath = new Map(loose.map((record) => [record.path, record]))
  return records.map((record) => {
    const other = looseByPath.get(record.layer + record.path)
    if (record.status !== 'ignored' || isUnread(record) || other === undefined) return record
    const isExplained = record.diagnostics.some(({ hint }) => hint !== null)
    return isExplained && other.status === 'ignored' && other.diagnostics.every(isNoReason)
      ? record
      : other
  })
}

/** Whether a finding only states that the content belongs to no layer. */
const isNoReason = ({ code, hint }: Diagnostic): boolean =>
  hint === null && (code === 'not_an_agent' || code === 'not_read')

const byKey = (record: FileRecord, other: FileRecord): number =>
  record.layer + record.path < other.layer + other.path ? -1 : 1

/** Returns the check result of a file that the check excludes. */
const leftOutRecord = (path: string, reason: string, hint: string | null = null): FileRecord => ({
  layer: '',
  path,
  kind: 'other',
  id: null,
  status: 'ignored',
  diagnostics: [note('not_read', reason, { hint })],
})

/** Reports a linked file or folder as unread, because its author expects Strata to read it. */
function unread({ path, why: reason, link }: Unread): FileRecord {
  const record = leftOutRecord(path, reason)
  const hint = LINK_HINT
  return link ? { ...record, diagnostics: [warning('not_read', reason, { hint })] } : record
}

/** Adds the ignore rule that excludes an unread file to the file's record. */
function withIgnoreRule(record: FileRecord, rules: LeftOut): FileRecord {
  const rule = isUnread(record) ? rules.ignored(`${record.layer}${record.path}`) : undefined
  return rule === undefined ? record : { ...record, diagnostics: [note('not_read', `by ${rule}`)] }
}

/** Whether a file has no effect although its author expects one. */
export const isUnread = ({ status, diagnostics }: FileRecord): boolean =>
  status === 'ignored' && diagnostics.some(({ severity }) => severity === 'warning')

/** Rejects a file that loads locally but whose name every server rejects. */
function storable(record: FileRecord): FileRecord {
  if (!record.status.startsWith('loaded')) return record
  const fault = record.path
    .split('/')
    .map(segmentFault)
    .find((message) => message !== undefined)
  if (fault === undefined) return record
  const finding = warning('key_refused', `servers reject this file name: ${fault}`)
  return {
    ...record,
    status: 'loaded_with_warnings',
    diagnostics: [...record.diagnostics, finding],
  }
}

interface Root {
  readonly kind: LayerKind
  readonly prefix: string
}

/** Layer in a folder, with its files. */
interface InnerLayer extends Root {
  readonly paths: readonly string[]
}

const KINDS: Readonly<Record<string, LayerKind>> = { base: 'base', roles: 'role', repos: 'repo' }

/** Returns the layers of a folder: those with a prefix such as `base/`, and the folder itself. */
export function layersIn(paths: readonly string[]): readonly InnerLayer[] {
  const inner = new Map<string, Root & { readonly paths: string[] }>()
  const outer: string[] = []
  for (const path of paths) {
    const prefix = /^(?:base|(?:roles|repos)\/[^/]+)\//.exec(path)?.[0]
    if (prefix === undefined) outer.push(path)
    else {
      const layer = inner.get(prefix) ?? { kind: KINDS[prefix.split('/')[0]!]!, prefix, paths: [] }
      inner.set(prefix, layer)
      layer.paths.push(path)
    }
  }
  return [...inner.values(), { kind: 'base', prefix: '', paths: outer }]
}

/** Returns the files of a layer that are parsed, with their paths in the folder. */
export const filesToParse = ({ kind, prefix, paths }: InnerLayer) =>
  filesToRead(planOf({ kind, prefix, paths })).map(({ path }) => ({ path, key: prefix + path }))

const planOf = ({ kind, prefix, paths }: InnerLayer): LayerPlan =>
  planLayer(
    kind,
    prefix,
    paths.map((path) => ({ path: path.slice(prefix.length), etag: '', size: 0 })),
  )

/** Checks the directory as one layer, or as a folder of layers such as `base/`. */
function layerRecords(
  paths: readonly string[],
  { read, parsed }: FolderListing,
  modelLack: ModelLack,
): FileRecord[] {
  const records: FileRecord[] = []
  const compiled: CompiledLayer[] = []
  for (const inner of layersIn(paths)) {
    const results = new Map(
      filesToParse(inner).map(({ path, key }) => [
        path,
        parsed?.get(key) ?? parseLayerFile(path, read(key)),
      ]),
    )
    const layer = compileLayer(planOf(inner), ({ path }) => results.get(path))
    compiled.push(layer)
    records.push(...foldOf([layer], modelLack).records)
  }
  tellHidden(compiled, records)
  const recordedPaths = new Set(records.map((record) => record.layer + record.path))
  const unreadPaths = paths.filter((path) => !recordedPaths.has(path))
  const reason = 'no layer reads this location'
  return [...records, ...unreadPaths.map((path) => leftOutRecord(path, reason, betterPlace(path)))]
}

/** Describes a test file inside or next to a layer; pushes exclude tests. */
function saidOfTests(record: FileRecord, read: Read): FileRecord {
  const { layer, path, status } = record
  const below = path.replace(/^(?:base|(?:roles|repos)\/[^/]+)\//, '')
  if (status !== 'ignored' || !isOfTests(below, () => read(layer + path))) return record
  return {
    ...record,
    diagnostics: [note('not_read', 'a test of the pack; run it with strata test')],
  }
}

/** Returns the path at which the loader would find a misplaced skill or agent. */
function betterPlace(path: string): string | null {
  const [skillOrAgent] = /(?:skills\/[^/]+\/SKILL|agents\/[^/]+)\.md$/i.exec(path) ?? []
  // Files in `agents/` inside a skill are helper prompts of that skill.
  if (skillOrAgent === undefined || /(?:^|\/)skills\/.*\/agents\//.test(path)) return null
  return `move the file to .agents/${skillOrAgent}`
}

/** Reports base layer entries that a repository overrides, with the overriding file. */
function tellHidden(layers: readonly CompiledLayer[], records: FileRecord[]): void {
  const base = layers.find(({ prefix }) => prefix === 'base/')
  if (base === undefined) return
  for (const layer of layers.filter(({ kind }) => kind === 'repo')) {
    const { agents, skills } = foldOf([base, layer])
    for (const { origin } of [...agents, ...skills]) {
      const hidden = origin.shadows.filter((shadow) => shadow.layer === base.prefix)
      const at = records.findIndex((other) => other.layer + other.path === origin.key)
      const record = records[at]
      if (record === undefined || hidden.length === 0) continue
      const message = `overrides ${hidden.map(({ key }) => key).join(', ')}`
      records[at] = { ...record, diagnostics: [...record.diagnostics, note('shadows', message)] }
    }
  }
}

/** Merges each layer separately, because servers are checked after merging. */
const foldOf = (
  layers: readonly CompiledLayer[],
  modelLack: ModelLack = () => undefined,
): Resolved =>
  fold({
    builtin: [],
    layers,
    run: null,
    secrets: new Set(),
    bindings: new Map(),
    allowStdio: true,
    blocked: () => undefined,
    modelLack,
    policy: DEFAULT_POLICY,
    alone: true,
    diagnostics: [],
  })
