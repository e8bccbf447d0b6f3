/**
 * Rewrites older layouts: `.goclaw/mcp.json` to `.agents/config.toml`, `.goclaw/skills/*` (and the
 * base layer's `skills/main/*`) to `.agents/skills/`, and the base layer's `skills/<role>/*` to the
 * role's layer. Resources that `.agents/` already contains are left unchanged. A dry run lists the
 * changes. Its output hides the values of env and headers.
 */

import { CONFIG_PATH, LEGACY_CONFIG_PATH, skillPlaces } from '../../core/config/layer/layout.ts'
import { rolePath } from '../../core/config/layer/select.ts'
import { migratedConfig, migrationFault } from '../../core/config/migrate/servers.ts'
import { parseConfig } from '../../core/config/server/file.ts'
import { judgeServer } from '../../core/config/server/server.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { blanked } from '../../core/redaction.ts'
import { encode, sameBytes } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { deleteFile, filesBelow, isStale, readFile } from '../layers/files.ts'
import { audit } from '../tenant/audit.ts'
import { readPolicy } from '../tenant/policy.ts'
import { readConfig } from './config-file.ts'
import { keep, record, type VersionFile } from './history.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { recordTables } from './servers.ts'
import { contended, writeFile } from './write.ts'

interface Step {
  readonly action: 'write' | 'move' | 'delete' | 'skip'
  /** Path of the affected file, below the tenant's prefix. */
  readonly path: string
  readonly from?: string
  /** Text of a newly written file; absent for other steps. */
  readonly content?: string
  readonly reason?: string
  /** Loader findings about the written file. */
  readonly diagnostics?: readonly Diagnostic[]
}
export interface Migration {
  readonly layer: string
  readonly dry_run: boolean
  readonly steps: readonly Step[]
}
/** Migration step with the bytes that it writes. */
interface Planned extends Step {
  readonly body?: Uint8Array
}

export async function migrateLayer(
  manager: OperationContext,
  place: LayerRef,
  { dry_run }: { readonly dry_run: boolean },
): Promise<Outcome<Migration, Refusal>> {
  const config = await planConfig(manager, place)
  if (!config.ok) return config
  const planned = [...config.value, ...(await planSkills(manager, place))]
  if (!dry_run) {
    const copied: VersionFile[] = []
    const done = await perform(manager, place, planned, copied)
    if (copied.length > 0) await auditCopies(manager, place, copied)
    if (!done.ok) return done
  }
  const steps = planned.map(({ body: _, ...step }) => step)
  return ok({ layer: place.prefix, dry_run, steps })
}

/** Number of files per audit entry; with the longest paths, a row still has less than 128 KiB. */
const FILES_PER_ENTRY = 100

/** Records the files that a migration wrote, also if it then failed. */
async function auditCopies(
  { world, tenant, by }: OperationContext,
  { prefix }: LayerRef,
  files: readonly VersionFile[],
): Promise<void> {
  const entry = { kind: 'file', name: prefix, action: 'put', by, number: 0 } as const
  const detail = `migrated ${files.length} files`
  for (let at = 0; at < files.length; at += FILES_PER_ENTRY) {
    const portion = files.slice(at, at + FILES_PER_ENTRY)
    await audit(world, tenant, { ...entry, files: portion, detail })
  }
}

async function planConfig(
  manager: OperationContext,
  { prefix }: LayerRef,
): Promise<Outcome<Planned[], Refusal>> {
  const from = prefix + LEGACY_CONFIG_PATH
  const path = prefix + CONFIG_PATH
  const [legacy, existing] = await Promise.all([from, path].map((key) => readFile(manager, key)))
  if (!legacy) return ok([])
  const parsed = parseConfig(legacy.body, from)
  const fault = migrationFault(parsed)
  const text = fault === undefined ? migratedConfig(parsed) : ''
  if (existing) {
    // An existing file with identical content was written by an interrupted migration.
    const isOwnResult = fault === undefined && sameBytes(existing.body, encode(text))
    if (isOwnResult) return ok([{ action: 'delete', path: from }])
    return ok([{ action: 'skip', path: from, reason: `${path} exists and takes precedence` }])
  }
  if (fault !== undefined) return fail(refusal('invalid_config', `${from}: ${fault}`))
  const judgements = parseConfig(encode(text), path).servers.map((server) => judgeServer(server))
  const errors = judgements.flatMap((judgement) => (judgement.ok ? [] : judgement.error))
  if (errors.length > 0) return fail(refusal('invalid_config', `${from}: ${errors[0]!.message}`))
  const findings = judgements.flatMap((judgement) => (judgement.ok ? judgement.value.found : []))
  const diagnostics = [...parsed.found, ...findings]
  const maskedServers = parsed.servers.map((server) => ({
    ...server,
    fields: hidden(server.fields),
  }))
  const content = migratedConfig({ ...parsed, servers: maskedServers })
  return ok([
    { action: 'write', path, from, content, diagnostics, body: encode(text) },
    { action: 'delete', path: from },
  ])
}

const hidden = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      key === 'env' || key === 'http_headers'
        ? [key, blanked(value as object as never)]
        : [key, value],
    ),
  )

type Files = ReadonlyMap<string, readonly string[]>

async function planSkills(manager: OperationContext, place: LayerRef): Promise<Planned[]> {
  const { policy } = await readPolicy(manager.world, manager.tenant)
  const { skills_role_dir: dir } = policy
  const places = skillPlaces({ dir, role: null }).filter(
    ({ legacy, baseOnly }) => legacy && (!baseOnly || place.kind === 'base'),
  )
  const steps = await planMoves(manager, place, place.prefix, places)
  if (place.kind === 'repo') return [...steps, ...(await skillsOfBase(manager, place, dir))]
  if (place.kind !== 'base') return steps
  for (const role of await rolesIn(manager, `${place.prefix}${dir}/`)) {
    const home = rolePath(role)
    const moves = await planMoves(manager, place, home, [{ path: `${dir}/${role}/` }])
    const reason = `${home} becomes a layer; ${place.prefix} is then not read for this role`
    steps.push(...moves.map((step) => (step.action === 'move' ? { ...step, reason } : step)))
  }
  return steps
}

/**
 * Returns skip steps for skills by role, which are read only from a base layer. `base_dir`
 * identifies a base layer.
 */
async function skillsOfBase(
  manager: OperationContext,
  { prefix }: LayerRef,
  dir: string,
): Promise<Planned[]> {
  const root = `${prefix}${dir}/`
  const roles = [...(await rolesIn(manager, root)), 'main']
  const paths = (await pathsBelow(manager, root)).filter(
    (path) =>
      /\/skill\.md$/i.test(path) && roles.some((role) => path.startsWith(`${root}${role}/`)),
  )
  const reason = `read only from a base layer; if ${prefix} is one, pass it as base_dir`
  return paths.map((path) => ({ action: 'skip', path, reason }))
}

/** Returns the roles that have goclaw skills, except the main role. */
async function rolesIn(manager: OperationContext, root: string): Promise<readonly string[]> {
  const paths = (await pathsBelow(manager, root)).map((path) => path.slice(root.length))
  const names = paths.flatMap((path) => /^([a-z0-9_-]+)\/[^/]+\/skill\.md$/i.exec(path)?.[1] ?? [])
  // A folder with a SKILL.md is one skill, and all paths below it are that skill's files.
  const skills = new Set(paths.flatMap((path) => /^([^/]+)\/skill\.md$/i.exec(path)?.[1] ?? []))
  return [...new Set(names)].filter((role) => role !== 'main' && !skills.has(role))
}

/** Plans the moves of skills from older locations in a layer to `.agents/skills/` below `layer`. */
async function planMoves(
  manager: OperationContext,
  place: LayerRef,
  layer: string,
  places: readonly { readonly path: string }[],
): Promise<Planned[]> {
  const home = `${layer}.agents/skills/`
  const targetSkills = new Map(await skillsBelow(manager, home))
  const steps: Planned[] = []
  // The location of highest precedence is planned first and excludes the others.
  for (const { path } of places.toReversed()) {
    const root = place.prefix + path
    for (const [skill, files] of await skillsBelow(manager, root)) {
      const targetFiles = targetSkills.get(skill)
      if (
        targetFiles === undefined ||
        (await isHalfMoved(manager, [root, files], [home, targetFiles]))
      ) {
        targetSkills.set(skill, targetFiles ?? files)
        steps.push(
          ...files.map((file) => ({
            action: 'move' as const,
            path: home + file,
            from: root + file,
          })),
        )
        continue
      }
      const reason = `${home}${skill}/ exists and takes precedence`
      steps.push(...files.map((file) => ({ action: 'skip' as const, path: root + file, reason })))
    }
  }
  return steps
}

const pathsBelow = async (manager: OperationContext, root: string): Promise<readonly string[]> =>
  (await filesBelow(manager, root)).files.map(({ path }) => path)

/** Returns the files of each skill below a folder, relative to that folder. */
async function skillsBelow(manager: OperationContext, root: string): Promise<Files> {
  const keys = (await pathsBelow(manager, root)).map((path) => path.slice(root.length))
  return Map.groupBy(keys, (key) => key.split('/')[0] ?? '')
}

type Folder = readonly [root: string, files: readonly string[]]

/**
 * Returns whether an interrupted migration left a skill in two locations, one of which contains all
 * files of the other, byte for byte. If so, continuing loses no content.
 */
async function isHalfMoved(
  manager: OperationContext,
  left: Folder,
  right: Folder,
): Promise<boolean> {
  const [few, many] = left[1].length < right[1].length ? [left, right] : [right, left]
  if (!few[1].every((file) => many[1].includes(file))) return false
  for (const file of few[1]) {
    const [first, other] = await Promise.all(
      [few, many].map(([root]) => readFile(manager, root + file)),
    )
    if (!first || !other || !sameBytes(first.body, other.body)) return false
  }
  return true
}

/**
 * Performs the migration steps, and adds each new file to `newFiles`. All files are copied before any is deleted, and none is deleted if
 * a target has other content. A retry after an interruption continues the migration.
 */
async function perform(
  manager: OperationContext,
  place: LayerRef,
  steps: readonly Planned[],
  newFiles: VersionFile[],
): Promise<Outcome<null, Refusal>> {
  const done: string[] = []
  for (const step of steps) {
    if (step.action === 'delete') done.push(step.path)
    if (step.action !== 'write' && step.action !== 'move') continue
    const copied = await copy(manager, place, step)
    if (!copied.ok) return copied
    if (copied.value) newFiles.push(copied.value)
    if (step.action === 'move') done.push(step.from!)
  }
  for (const path of done) {
    const old = await readFile(manager, path)
    if (old) await keep(manager, old.body)
    await deleteFile(manager, path, 'any')
  }
  return ok(null)
}

/**
 * Copies a file of a migration step; returns null if it was copied before, and fails if the target
 * has other content.
 */
async function copy(
  manager: OperationContext,
  place: LayerRef,
  step: Planned,
): Promise<Outcome<VersionFile | null, Refusal>> {
  const source = step.body ?? (await readFile(manager, step.from!))?.body
  if (source === undefined) return ok(null)
  const put = await writeFile(manager, step.path, source, 'absent', 'stored')
  if (!put.ok) {
    if (!isStale(put.error)) return put
    const existing = await readFile(manager, step.path)
    return existing !== null && sameBytes(existing.body, source) ? ok(null) : fail(contended())
  }
  if (step.action === 'write') {
    const servers = await readConfig(manager, place)
    for (const { name, table } of servers.ok ? servers.value.servers : []) {
      await recordTables(manager, place, { name, action: 'put', before: undefined, after: table })
    }
  }
  const digest = await keep(manager, source)
  const file = { path: step.path, digest }
  if (!/\/SKILL\.md$/i.test(step.path)) return ok(file)
  const layer = step.path.slice(0, step.path.indexOf('.agents/skills/'))
  const [name = ''] = step.path.slice(`${layer}.agents/skills/`.length).split('/')
  const files = [{ path: step.path.slice(layer.length), digest }]
  const resource = { kind: 'skill' as const, layer, name }
  await record(manager, resource, 'put', { before: [], after: files })
  return ok(file)
}
