/**
 * Compiles a layer's plan and parsed files into the input of the fold: candidates by ascending
 * precedence, unparsed servers, and one record per file. A compiled layer is immutable and can be
 * cached until its listing changes.
 */

import { nameKey } from '../../../lib/name.ts'
import { type ParsedAgent, parseAgent } from '../agent/agent.ts'
import { error, note, statusOf, warning } from '../diagnostic.ts'
import { type ParsedSchedule, parseSchedule } from '../schedule/schedule.ts'
import { type ParsedConfig, parseConfig } from '../server/file.ts'
import { type ParsedSkill, parseSkill, type SkillDraft } from '../skill/skill.ts'
import type {
  AgentEntry,
  Diagnostic,
  FileRecord,
  LayerKind,
  Origin,
  ScheduleEntry,
  SkillFile,
} from '../types.ts'
import type { LayerFile, LayerPlan, SkillSlot } from './layer.ts'

export type Parsed = ParsedAgent | ParsedSkill | ParsedSchedule | ParsedConfig

/** Skill definition in one folder, as a candidate for the fold. */
export interface SkillCandidate {
  readonly id: string
  /** Parsed skill; null if the folder contains only a switch, or if SKILL.md is rejected. */
  readonly skill: SkillDraft | null
  readonly files: readonly SkillFile[]
  /** Key of the switch file that disables the skill, relative to the tenant's prefix. */
  readonly disabledBy: string | null
  /** Whether the folder contains a SKILL.md that does not load. */
  readonly broken: boolean
  readonly origin: Origin
}

export interface CompiledLayer {
  readonly kind: LayerKind
  readonly prefix: string
  readonly valid: boolean
  readonly agents: readonly AgentEntry[]
  readonly skills: readonly SkillCandidate[]
  readonly schedules: readonly ScheduleEntry[]
  /**
   * Configuration file of the layer and its content; the fold creates the file's record after
   * merging.
   */
  readonly config: {
    readonly file: LayerFile
    readonly parsed: ParsedConfig
    readonly legacy: boolean
  } | null
  readonly records: readonly FileRecord[]
}

/** Parses a layer file that `filesToRead` names. */
export function parseLayerFile(path: string, bytes: Uint8Array): Parsed {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(?:toml|json)$/.test(name)) return parseConfig(bytes, path)
  if (OF_SCHEDULES.test(path)) return parseSchedule(bytes, name.slice(0, -3))
  if (name.toLowerCase() !== 'skill.md') return parseAgent(bytes, name.slice(0, -3))
  const directory = path.slice(0, -name.length - 1)
  return parseSkill(bytes, directory.slice(directory.lastIndexOf('/') + 1))
}

const OF_SCHEDULES = /(?:^|\/)\.agents\/schedules\/[^/]+$/

/**
 * Compiles a layer; `parsed` returns each parsed file, or undefined if the file was deleted after
 * the listing.
 */
export function compileLayer(
  plan: LayerPlan,
  parsed: (file: LayerFile) => Parsed | undefined,
): CompiledLayer {
  const records: FileRecord[] = [...plan.records]
  const agents = compileAgents(plan, parsed, records)
  const schedules = compileSchedules(plan, parsed, records)
  const skills = plan.skills.map((slot) => compileSkill(plan, slot, parsed, records))
  const config = plan.config === null ? undefined : parsed(plan.config)
  return {
    kind: plan.kind,
    prefix: plan.prefix,
    valid: plan.valid,
    agents,
    skills,
    schedules,
    config:
      plan.config !== null && config?.type === 'config'
        ? { file: plan.config, parsed: config, legacy: plan.legacyConfig }
        : null,
    records,
  }
}

const originOf = (plan: LayerPlan, file: LayerFile): Origin => ({
  kind: plan.kind,
  layer: plan.prefix,
  key: `${plan.prefix}${file.path}`,
  etag: file.etag,
  shadows: [],
})

function compileAgents(
  plan: LayerPlan,
  parsed: (file: LayerFile) => Parsed | undefined,
  records: FileRecord[],
): AgentEntry[] {
  const agents: AgentEntry[] = []
  const pathBySlot = new Map<string, string>()
  for (const { place, file } of plan.agents) {
    const result = parsed(file)
    if (result?.type !== 'agent') continue
    const id = result.agent?.id ?? null
    const base = { layer: plan.prefix, path: file.path, kind: 'agent' as const, id }
    if (result.agent === null) {
      const status = result.ignored ? 'ignored' : 'rejected'
      records.push({ ...base, status, diagnostics: result.found })
      continue
    }
    const slot = `${place}${nameKey(result.agent.id)}`
    const earlier = pathBySlot.get(slot)
    if (earlier !== undefined) {
      const duplicate = error('duplicate_id', `${file.path} has the same ID as ${earlier}: ${id}`, {
        line: 2,
      })
      records.push({ ...base, status: 'rejected', diagnostics: [...result.found, duplicate] })
      continue
    }
    pathBySlot.set(slot, file.path)
    records.push({ ...base, status: statusOf(result.found), diagnostics: result.found })
    agents.push({ ...result.agent, origin: originOf(plan, file) })
  }
  return agents
}

function compileSchedules(
  plan: LayerPlan,
  parsed: (file: LayerFile) => Parsed | undefined,
  records: FileRecord[],
): ScheduleEntry[] {
  return plan.schedules.flatMap(({ file, stem }) => {
    const result = parsed(file)
    if (result?.type !== 'schedule') return []
    const { schedule, found: diagnostics } = result
    const base = { layer: plan.prefix, path: file.path, kind: 'schedule' as const, id: stem }
    records.push({ ...base, status: statusOf(diagnostics), diagnostics })
    return schedule === null ? [] : [{ ...schedule, origin: originOf(plan, file) }]
  })
}

function compileSkill(
  plan: LayerPlan,
  slot: SkillSlot,
  parsed: (file: LayerFile) => Parsed | undefined,
  records: FileRecord[],
): SkillCandidate {
  const { id, main, disabled } = slot
  const result = main === null ? undefined : parsed(main)
  const skill = result?.type === 'skill' ? result.skill : null
  if (main !== null && result?.type === 'skill') {
    const diagnostics = [...result.found, ...layoutFindings(slot, main)]
    records.push({
      layer: plan.prefix,
      path: main.path,
      kind: 'skill',
      id,
      status: statusOf(diagnostics),
      diagnostics,
    })
  }
  return {
    id,
    skill,
    files: slot.files,
    disabledBy: disabled === null ? null : `${plan.prefix}${disabled.path}`,
    broken: main !== null && skill === null,
    origin: originOf(plan, main ?? disabled ?? { path: `${slot.place}${id}/`, etag: '', size: 0 }),
  }
}

function layoutFindings(slot: SkillSlot, main: LayerFile): Diagnostic[] {
  const findings: Diagnostic[] = []
  if (slot.legacy) {
    const place = { hint: `${slot.home ?? ''}.agents/skills/${slot.id}/SKILL.md` }
    findings.push(
      warning('legacy_layout', `${slot.place} is a deprecated location for skills`, place),
    )
  }
  if (!main.path.endsWith('/SKILL.md')) {
    findings.push(
      note('file_name_variant', 'the file must be named SKILL.md', { hint: 'SKILL.md' }),
    )
  }
  return findings
}
