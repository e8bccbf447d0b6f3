/**
 * Imports a folder of stored files into a layer. The files lie below `imports/`, where no run reads
 * them. A dry run returns the records of the check, as `strata check` prints them, and a plan.
 * Applying the plan writes each file under the condition that its target has not changed. A file
 * that equals its target is kept, so a repeated import continues an interrupted one.
 */

import { type Parsed, parseLayerFile } from '../../core/config/layer/compile.ts'
import {
  checkListing,
  type FolderListing,
  filesToCheck,
  filesToParse,
  layersIn,
} from '../../core/config/layer/folder-check.ts'
import { ignoreRules } from '../../core/config/layer/ignore-rules.ts'
import { type Placement, placements } from '../../core/config/layer/import-plan.ts'
import { IMPORTS } from '../../core/config/layer/select.ts'
import type { FileRecord } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { Budget, Exhausted } from '../../lib/budget.ts'
import { decode, sameBytes } from '../../lib/bytes.ts'
import { digest } from '../../lib/digest.ts'
import { keyPath, keyPrefix } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { bringFiles, type FileInfo, filesBelow, listedPath, readFile } from '../layers/files.ts'
import { TimeSlice } from '../layers/time-slice.ts'
import type { LayerRef, OperationContext } from './place.ts'

interface Step {
  readonly action: 'create' | 'replace' | 'keep' | 'skip'
  /** Key of the file in the layer. */
  readonly path: string
  readonly from: string
  /** ETag of the file in the layer; null if there is none. */
  readonly etag: string | null
  readonly reason?: string | undefined
}

export interface Import {
  readonly from: string
  readonly layer: string
  readonly dry_run: boolean
  readonly plan: string
  readonly steps: readonly Step[]
  readonly records: readonly FileRecord[]
}

export interface ImportInput {
  readonly from: string
  readonly loose: boolean
  readonly plan?: string | undefined
  readonly dry_run: boolean
}

/** Number of files that are read or written concurrently. */
const AT_ONCE = 100

export async function importLayer(
  manager: OperationContext,
  { prefix }: LayerRef,
  { from: folder, loose, plan: reviewed, dry_run }: ImportInput,
): Promise<Outcome<Import, Refusal>> {
  const from = importFolder(folder)
  if (!from.ok) return from
  const source = await sourceFiles(manager, from.value)
  if (!source.ok) return source
  const checked = await checkedFiles(manager, source.value, loose)
  if (!checked.ok) return checked
  const { records, filePlacements } = checked.value
  const where = { from: from.value, layer: prefix }
  const steps = await planned(manager, where, filePlacements, source.value)
  const plan = digest(
    steps.map((step) => [step, source.value.etags.get(step.from.slice(from.value.length))]),
  )
  const writes = steps.filter(({ action }) => action === 'create' || action === 'replace')
  if (reviewed !== undefined && reviewed !== plan && writes.length > 0) return fail(CHANGED)
  const answer = { ...where, dry_run, plan, records }
  if (dry_run) return ok({ ...answer, steps })
  const etags = await apply(manager, where, writes, source.value)
  if (!etags.ok) return etags
  const performed = steps.map((step) => ({
    ...step,
    etag: etags.value.get(step.path) ?? step.etag,
  }))
  return ok({ ...answer, steps: performed })
}

const CHANGED = refusal(
  'precondition_failed',
  'Files have changed since the plan was made; make a new plan with dry_run.',
  { errors: [{ pointer: '/plan', message: 'differs from the current plan' }] },
)

const invalid = (name: string, message: string): Outcome<never, Refusal> =>
  fail(refusal('invalid_request', message, { errors: [{ pointer: `/${name}`, message }] }))

function importFolder(text: string): Outcome<string, Refusal> {
  const prefix = keyPrefix(text)
  if (!prefix.ok) return invalid('from', `Invalid folder: ${prefix.error}.`)
  if (prefix.value.startsWith(IMPORTS) && prefix.value !== IMPORTS) return prefix
  return invalid('from', `The folder must be below ${IMPORTS}.`)
}

interface Source extends FolderListing {
  /** ETag of each file, by path. */
  readonly etags: ReadonlyMap<string, string>
}

/** Reads the files to import. They are bounded in number and bytes, because all are in memory. */
async function sourceFiles(
  manager: OperationContext,
  from: string,
): Promise<Outcome<Source, Refusal>> {
  const { files: infos, isWhole } = await filesBelow(manager, from, LIMITS.import_files)
  if (infos.length === 0) return invalid('from', `No files found below ${from}.`)
  const bytes = infos.reduce((sum, { size }) => sum + size, 0)
  if (!isWhole) return tooLarge(`${from} has more than ${LIMITS.import_files} files.`)
  if (bytes > LIMITS.import_bytes) return tooLarge(`${from} exceeds ${LIMITS.import_bytes} bytes.`)
  const bodies = new Map<string, Uint8Array>()
  const etags = new Map<string, string>()
  await inChunks(infos, async ({ path }) => {
    const object = await readFile(manager, path)
    if (object === null) return
    bodies.set(path.slice(from.length), object.body)
    etags.set(path.slice(from.length), object.etag)
  })
  const files = [...bodies.keys()].sort()
  const read = (path: string): Uint8Array => bodies.get(path) ?? new Uint8Array()
  const budget = new Budget(LIMITS.import_rule_steps)
  const rules = ignoreRules(
    (path) => {
      const body = bodies.get(path)
      return body === undefined ? undefined : decode(body)
    },
    { budget },
  )
  return ok({ folder: { files, others: [] }, rules, read, etags })
}

interface CheckedFiles {
  readonly records: readonly FileRecord[]
  readonly filePlacements: readonly Placement[]
}

/** Checks the files. They are parsed in slices, so that other requests do not wait. */
async function checkedFiles(
  { world }: OperationContext,
  source: Source,
  loose: boolean,
): Promise<Outcome<CheckedFiles, Refusal>> {
  try {
    const layers = layersIn(filesToCheck(source))
    if (layers.length > LIMITS.import_layers + 1) {
      return tooLarge(`The folder contains more than ${LIMITS.import_layers} layers.`)
    }
    const slice = new TimeSlice(world.clock)
    const parsed = new Map<string, Parsed>()
    for (const { path, key } of layers.flatMap(filesToParse)) {
      parsed.set(key, await slice.run(() => parseLayerFile(path, source.read(key))))
    }
    const { records } = checkListing({ ...source, parsed }, { loose })
    return ok({ records, filePlacements: placements(source, records, loose) })
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return tooLarge(
      'The ignore rules are too long, or have too many patterns for the number of files.',
    )
  }
}

const tooLarge = (message: string): Outcome<never, Refusal> =>
  fail(refusal('too_large', message, { errors: [{ pointer: '/from', message }] }))

async function inChunks<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work))
  }
}

interface Where {
  readonly from: string
  readonly layer: string
}

/** Compares each file with its target. Only targets of the same size are read. */
async function planned(
  manager: OperationContext,
  { from, layer }: Where,
  filePlacements: readonly Placement[],
  { read }: Source,
): Promise<readonly Step[]> {
  // Names that differ only in case are found only by a list of the layer.
  const { files } = await filesBelow(manager, layer)
  const targets = new Map(files.map((file) => [file.path, file]))
  const names = takenNames([...targets.keys(), ...(await filesAbove(manager, layer))])
  const steps = new Map<string, Step>()
  await inChunks(filePlacements, async ({ from: path, path: place, reason, unread }) => {
    const key = layer + place
    const target = targets.get(key)
    const step = { path: key, from: from + path, etag: target?.etag ?? null }
    const why = reason ?? whyNotWritten(key, read(path), names)
    if (why !== undefined) steps.set(path, { action: 'skip', ...step, reason: why })
    else if (target === undefined) steps.set(path, { action: 'create', ...step, reason: unread })
    else {
      const isSame = await equals(manager, target, read(path))
      steps.set(path, { action: isSame ? 'keep' : 'replace', ...step, reason: unread })
    }
  })
  return filePlacements.map(({ from: path }) => steps.get(path)!)
}

/** Names in a layer, without regard to case. */
interface TakenNames {
  /** Path of each file by its path in lower case. */
  readonly files: Map<string, string>
  /** Paths of the folders that contain files, in lower case. */
  readonly folders: Set<string>
}

/** Returns the files that have the name of the layer's folder, or of a folder above it. */
async function filesAbove(manager: OperationContext, layer: string): Promise<readonly string[]> {
  const objects = await Promise.all(
    foldersOf(layer).map(async (path) => ({ path, object: await readFile(manager, path) })),
  )
  return objects.flatMap(({ path, object }) => (object === null ? [] : [path]))
}

const takenNames = (paths: readonly string[]): TakenNames => ({
  files: new Map(paths.map((path) => [path.toLowerCase(), path])),
  folders: new Set(paths.flatMap((path) => foldersOf(path.toLowerCase()))),
})

/** Returns the folders that contain a path, outermost first, without trailing slashes. */
const foldersOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

/** Explains why a file cannot be written; otherwise reserves its name, without regard to case. */
function whyNotWritten(
  key: string,
  body: Uint8Array,
  { files, folders }: TakenNames,
): string | undefined {
  const checked = keyPath(key)
  if (!checked.ok) return `invalid path: ${checked.error}`
  if (body.byteLength > LIMITS.file_body_bytes) return `exceeds ${LIMITS.file_body_bytes} bytes`
  const name = key.toLowerCase()
  const existing = files.get(name)
  if (existing === key) return undefined
  if (existing !== undefined) return `${existing} has the same name, except for case`
  // Some platforms store files in folders, where a path is either a file or a folder.
  if (folders.has(name)) return `${key} is a folder in the layer`
  const parents = foldersOf(name)
  const file = parents.map((parent) => files.get(parent)).find((path) => path !== undefined)
  if (file !== undefined) return `${file} is a file, so it cannot contain files`
  files.set(name, key)
  for (const parent of parents) folders.add(parent)
  return undefined
}

async function equals(
  manager: OperationContext,
  target: FileInfo,
  body: Uint8Array,
): Promise<boolean> {
  if (target.size !== body.byteLength) return false
  const stored = await readFile(manager, target.path)
  return stored !== null && stored.etag === target.etag && sameBytes(stored.body, body)
}

/** Writes the files; returns their new ETags. The first failed condition ends the import. */
async function apply(
  manager: OperationContext,
  { from, layer }: Where,
  writes: readonly Step[],
  { read }: Source,
): Promise<Outcome<ReadonlyMap<string, string>, Refusal>> {
  const etags = new Map<string, string>()
  for (let start = 0; start < writes.length; start += AT_ONCE) {
    const files = writes.slice(start, start + AT_ONCE).map(({ path, from: key, etag }) => ({
      path: listedPath(path),
      body: read(key.slice(from.length)),
      expect: etag === null ? ('absent' as const) : { etag },
    }))
    const newEtags = await bringFiles(manager, { name: layer, from }, files)
    if (!newEtags.ok) return newEtags
    for (const [path, etag] of newEtags.value) etags.set(path, etag)
  }
  return ok(etags)
}
