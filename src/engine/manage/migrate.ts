/**
 * Older layouts rewritten: `.goclaw/mcp.json` to `.agents/config.toml`, `.goclaw/skills/*` (and the
 * base layer's `skills/main/*`) to `.agents/skills/`. What `.agents/` already has is left alone. A
 * dry run says what would be done; values of env and headers are hidden in what it shows.
 */

import { CONFIG_PATH, LEGACY_CONFIG_PATH, SKILL_PLACES } from '../../core/config/layout.ts'
import { parseConfig } from '../../core/config/mcp.ts'
import { migratedConfig } from '../../core/config/migrate.ts'
import { judgeServer } from '../../core/config/server.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { blanked } from '../../core/redacted.ts'
import { encode } from '../../lib/bytes.ts'
import { fileKey } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { keep, record } from './history.ts'
import type { Manager, Place } from './place.ts'
import { filesBelow } from './skill-files.ts'

export interface Step {
  readonly action: 'write' | 'move' | 'delete' | 'skip'
  /** Below the tenant's space. */
  readonly path: string
  readonly from?: string
  /** The text of a file that is made anew. */
  readonly content?: string
  readonly reason?: string
  /** What the loader says of the file that is written. */
  readonly diagnostics?: readonly Diagnostic[]
}
export interface Migration {
  readonly layer: string
  readonly dry_run: boolean
  readonly steps: readonly Step[]
}
/** A step and the bytes that it writes. */
interface Planned extends Step {
  readonly body?: Uint8Array
}

export async function migrateLayer(
  manager: Manager,
  place: Place,
  dryRun: boolean,
): Promise<Outcome<Migration, Refusal>> {
  const config = await planConfig(manager, place)
  if (!config.ok) return config
  const planned = [...config.value, ...(await planSkills(manager, place))]
  if (!dryRun) for (const step of planned) await perform(manager, place, step)
  const steps = planned.map(({ body: _, ...step }) => step)
  return ok({ layer: place.prefix, dry_run: dryRun, steps })
}

async function planConfig(
  { world, tenant }: Manager,
  { prefix }: Place,
): Promise<Outcome<Planned[], Refusal>> {
  const from = prefix + LEGACY_CONFIG_PATH
  const path = prefix + CONFIG_PATH
  const legacy = await world.objects.get(fileKey(tenant, from))
  if (legacy === null) return ok([])
  if ((await world.objects.get(fileKey(tenant, path))) !== null) {
    return ok([{ action: 'skip', path: from, reason: `${path} exists and counts instead` }])
  }
  const parsed = parseConfig(legacy.body, from)
  if (parsed.broken) {
    return fail(refusal('invalid_config', `${from}: ${parsed.found[0]?.message ?? 'not valid'}`))
  }
  const faulty = parsed.servers.find(({ faults }) => faults.length > 0)
  if (faulty) return fail(refusal('invalid_config', `${from}: ${faulty.faults[0]?.message}`))
  const text = migratedConfig(parsed)
  const judgements = parseConfig(encode(text), path).servers.map((server) => judgeServer(server))
  const errors = judgements.flatMap((judged) => (judged.ok ? [] : judged.error))
  if (errors.length > 0) return fail(refusal('invalid_config', `${from}: ${errors[0]!.message}`))
  const diagnostics = judgements.flatMap((judged) => (judged.ok ? judged.value.found : []))
  const shown = parsed.servers.map((server) => ({ ...server, fields: hidden(server.fields) }))
  const content = migratedConfig({ ...parsed, servers: shown })
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

async function planSkills(manager: Manager, place: Place): Promise<Planned[]> {
  const home = `${place.prefix}.agents/skills/`
  const there = new Set((await filesBelow(manager, home)).map(({ key }) => skillOf(key, home)))
  const steps: Planned[] = []
  const places = SKILL_PLACES.filter(
    ({ legacy, baseOnly }) => legacy && (!baseOnly || place.kind === 'base'),
  )
  // The one of higher precedence comes first and keeps the others out.
  for (const { path } of places.toReversed()) {
    const root = place.prefix + path
    const files = await filesBelow(manager, root)
    const taken = new Set<string>()
    for (const { key } of files) {
      const skill = skillOf(key, root)
      if (there.has(skill)) {
        steps.push({
          action: 'skip',
          path: key,
          reason: `${home}${skill}/ exists and counts instead`,
        })
      } else {
        taken.add(skill)
        steps.push({ action: 'move', path: `${home}${key.slice(root.length)}`, from: key })
      }
    }
    for (const skill of taken) there.add(skill)
  }
  return steps
}

const skillOf = (key: string, root: string): string => key.slice(root.length).split('/')[0] ?? ''

/** Copies first and deletes afterwards; doing it again after an interruption goes on. */
async function perform(manager: Manager, place: Place, step: Planned): Promise<void> {
  const { world, tenant } = manager
  if (step.action === 'skip') return
  if (step.action === 'delete') {
    await world.objects.delete(fileKey(tenant, step.path), 'any')
    return
  }
  const source =
    step.from === undefined ? null : await world.objects.get(fileKey(tenant, step.from))
  const body = step.body ?? source?.body
  if (body === undefined) return
  await world.objects.put(fileKey(tenant, step.path), body, 'absent')
  if (step.action === 'move' && step.from !== undefined) {
    await world.objects.delete(fileKey(tenant, step.from), 'any')
  }
  if (!/\/SKILL\.md$/i.test(step.path)) return
  const name = skillOf(step.path, `${place.prefix}.agents/skills/`)
  const files = [{ path: step.path.slice(place.prefix.length), digest: await keep(manager, body) }]
  const thing = { kind: 'skill' as const, layer: place.prefix, name }
  await record(manager, thing, 'put', { before: [], after: files })
}
