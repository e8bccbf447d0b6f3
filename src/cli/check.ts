/**
 * `strata check <dir>`: what the loader makes of a directory, file by file, without a server. One
 * record per file; for people one line per finding with file, line, what, and the line to write
 * instead. `--loose` takes a whole library apart by the look of its files instead of their place.
 */

import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileLayer, parseLayerFile } from '../core/config/compile.ts'
import { filesToRead, type LayerFile, planLayer } from '../core/config/layer.ts'
import { looseRecords } from '../core/config/loose.ts'
import { fold } from '../core/config/resolve.ts'
import type { FileRecord, LayerKind } from '../core/config/types.ts'
import { DEFAULT_POLICY } from '../core/policy.ts'

export interface CheckOptions {
  /** One JSON object per line, one per file. */
  readonly json: boolean
  readonly loose: boolean
}

type Print = (line: string) => void

/**
 * The exit code: 0 when everything loads, 1 when a file is rejected or has an error, 2 when there
 * is no such directory.
 */
export async function check(dir: string, options: CheckOptions, print: Print): Promise<number> {
  let paths: string[]
  try {
    paths = filesUnder(dir)
  } catch {
    print(`${dir} is not a directory that can be read`)
    return 2
  }
  const read = (path: string): Uint8Array => readFileSync(join(dir, path))
  const records = options.loose ? looseRecords(paths, read) : layerRecords(paths, read)
  for (const record of records) {
    if (options.json) print(JSON.stringify(record))
    else for (const line of lines(record)) print(line)
  }
  if (!options.json) print(summary(records))
  return records.some(failed) ? 1 : 0
}

/** Paths below the directory with slashes, in key order. Links are not followed. */
function filesUnder(dir: string): string[] {
  const entries: Dirent[] = readdirSync(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, '/').length))
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
}

interface Root {
  readonly kind: LayerKind
  readonly prefix: string
}

/** The directory is one layer, or holds `base/`, `roles/<role>/` and `repos/<name>/`. */
function layerRecords(paths: readonly string[], read: (path: string) => Uint8Array): FileRecord[] {
  const roots = new Map<string, Root>()
  for (const path of paths) {
    const match = /^(base|roles|repos)\/(?:[^/]+\/)?/.exec(path)
    const [word] = path.split('/')
    if (match === null || (word !== 'base' && match[0].split('/').length < 3)) continue
    const prefix = word === 'base' ? 'base/' : match[0]
    const kind = word === 'base' ? 'base' : word === 'roles' ? 'role' : 'repo'
    roots.set(prefix, { kind, prefix })
  }
  const layers = [...roots.values(), { kind: 'base' as const, prefix: '' }]
  const seen = new Set<string>()
  const records: FileRecord[] = []
  for (const root of layers) {
    const inside = paths.filter((path) => path.startsWith(root.prefix) && !seen.has(path))
    for (const path of inside) if (root.prefix !== '') seen.add(path)
    records.push(...recordsOf(root, inside, read))
  }
  const known = new Set(records.map((record) => record.layer + record.path))
  const others = paths.filter((path) => !known.has(path)).map(unplaced)
  return [...records, ...others].sort((left, right) =>
    left.layer + left.path < right.layer + right.path ? -1 : 1,
  )
}

const unplaced = (path: string): FileRecord => ({
  layer: '',
  path,
  kind: 'other',
  id: null,
  status: 'ignored',
  diagnostics: [],
})

function recordsOf(
  { kind, prefix }: Root,
  paths: readonly string[],
  read: (path: string) => Uint8Array,
): readonly FileRecord[] {
  const files: LayerFile[] = paths.map((path) => ({
    path: path.slice(prefix.length),
    etag: '',
    size: 0,
  }))
  const plan = planLayer(kind, prefix, files)
  const parsed = new Map(
    filesToRead(plan).map(({ path }) => [path, parseLayerFile(path, read(prefix + path))]),
  )
  const compiled = compileLayer(plan, (file) => parsed.get(file.path))
  // Servers are judged after merging, so one layer is folded alone.
  return fold({
    builtin: [],
    layers: [compiled],
    run: null,
    secrets: new Set(),
    allowStdio: true,
    blocked: () => undefined,
    knowsModel: () => true,
    policy: DEFAULT_POLICY,
    diagnostics: [],
  }).records
}

const failed = (record: FileRecord): boolean =>
  record.status === 'rejected' || record.diagnostics.some((one) => one.severity === 'error')

function lines({ layer, path, status, diagnostics }: FileRecord): string[] {
  const shown = diagnostics.filter((one) => status !== 'ignored' || one.hint !== null)
  return shown.map(({ severity, code, line, message, hint }) => {
    const place = `${layer}${path}${line === null ? '' : `:${line}`}`
    const instead = hint === null ? '' : `\n    write: ${hint}`
    return `${place}: ${severity}: ${message} [${code}]${instead}`
  })
}

function summary(records: readonly FileRecord[]): string {
  const count = (status: FileRecord['status']) =>
    records.filter((record) => record.status === status).length
  return (
    `${records.length} files: ${count('loaded')} loaded, ` +
    `${count('loaded_with_warnings')} loaded with warnings, ` +
    `${count('rejected')} rejected, ${count('ignored')} ignored`
  )
}
