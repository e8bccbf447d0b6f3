/**
 * Classifies the keys of one layer: agents, skills with their resource files and switches, the
 * configuration file, and unread files, each with a record. Only names are examined; `filesToRead`
 * names the files that are read and parsed later.
 */

import { nameKey } from '../../../lib/name.ts'
import { error, note, skillVariant, warning } from '../diagnostic.ts'
import type { Diagnostic, FileKind, FileRecord, FileStatus, LayerKind } from '../types.ts'
import { instructionsUnread, isInstructions } from './instructions.ts'
import {
  AGENT_PLACES,
  CONFIG_PATH,
  dialectHint,
  type FolderRule,
  LEGACY_CONFIG_PATH,
  misplacedHint,
  movedAgent,
  movedSkill,
  READ_PREFIXES,
  ROLE_SKILLS,
  type RoleSkills,
  rootHint,
  SCHEDULE_PLACE,
  skillPlaces,
} from './layout.ts'
import type { AgentSlot, LayerFile, LayerPlan, SkillSlot } from './plan.ts'
import { scheduleSlot } from './schedule-slot.ts'

export type * from './plan.ts'

export function planLayer(
  kind: LayerKind,
  prefix: string,
  files: readonly LayerFile[],
  roles: RoleSkills = ROLE_SKILLS,
): LayerPlan {
  const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
  const planner = new Planner(kind, prefix, sorted, roles)
  planner.plan()
  return planner.result()
}

/** Returns the files that must be read before the layer can be folded. */
export const filesToRead = (plan: LayerPlan): readonly LayerFile[] => [
  ...(plan.config === null ? [] : [plan.config]),
  ...plan.agents.map((agent) => agent.file),
  ...plan.skills.flatMap((skill) => (skill.main === null ? [] : [skill.main])),
  ...plan.schedules.map((schedule) => schedule.file),
]

interface SkillDirectory {
  readonly mains: LayerFile[]
  readonly rest: LayerFile[]
  disabled: LayerFile | null
}

class Planner {
  private readonly records: FileRecord[] = []
  private readonly agents = new Map<string, AgentSlot[]>()
  private readonly schedules: AgentSlot[] = []
  private readonly skills = new Map<string, Map<string, SkillDirectory>>()
  private config: LayerFile | null = null
  private legacy: LayerFile | null = null
  private valid = false
  private readonly kind: LayerKind
  private readonly prefix: string
  private readonly files: readonly LayerFile[]

  private readonly places: readonly FolderRule[]
  private readonly roles: string
  /** Folders that contain a single skill each and are not role folders. */
  private readonly lone: ReadonlySet<string>

  constructor(kind: LayerKind, prefix: string, files: readonly LayerFile[], roles: RoleSkills) {
    this.places = skillPlaces(roles)
    this.roles = `${roles.dir}/`
    this.lone = new Set(files.flatMap(({ path }) => LONE_SKILL.exec(this.below(path))?.[1] ?? []))
    this.kind = kind
    this.prefix = prefix
    this.files = files
  }

  plan(): void {
    for (const file of this.files) this.place(file)
    if (this.config !== null && this.legacy !== null) {
      const finding = note('legacy_ignored', `this file is ignored because ${CONFIG_PATH} exists`)
      this.record(this.legacy.path, 'config', null, 'ignored', [finding])
      this.legacy = null
    }
  }

  private place(file: LayerFile): void {
    const { path } = file
    const agents = AGENT_PLACES.find((place) => path.startsWith(place.path))
    const skills = this.places.find(
      (place) => path.startsWith(place.path) && (place.baseOnly !== true || this.kind === 'base'),
    )
    if (path === CONFIG_PATH) {
      this.config = file
      this.valid = true
    } else if (path === LEGACY_CONFIG_PATH) {
      this.legacy = file
    } else if (agents !== undefined) {
      this.valid = true
      this.placeAgent(agents.path, file)
    } else if (path.startsWith(SCHEDULE_PLACE)) {
      this.valid = true
      const slot = scheduleSlot(file)
      if ('code' in slot) this.ignore(file, slot)
      else this.schedules.push(slot)
    } else if (skills !== undefined) {
      if (skills.legacy !== true) this.valid = true
      this.placeSkill(skills.path, file)
    } else if (isInstructions(path)) {
      this.ignore(file, instructionsUnread())
    } else if (READ_PREFIXES.some((start) => path.startsWith(start))) {
      const hint = dialectHint(path) ?? misplacedHint(path) ?? null
      this.ignore(file, note('not_read', 'not a layer file', { hint }))
    } else if (this.kind === 'base' && this.isOfRole(this.below(path))) {
      const [role, skill] = this.below(path).split('/')
      const message = `a skill of the role ${role}; it applies to that role while the role has no layer`
      const hint = `move the folder to roles/${role}/.agents/skills/${skill}/`
      this.ignore(file, note('role_skill', message, { hint }))
    } else {
      const hint = misplacedHint(path) ?? (this.kind === 'repo' ? undefined : rootHint(path))
      if (hint !== undefined)
        this.ignore(file, note('not_read', 'no layer reads this location', { hint }))
    }
  }

  /**
   * Returns the path within the folder of skills by role, or an empty string for paths outside that
   * folder.
   */
  private below(path: string): string {
    return path.startsWith(this.roles) ? path.slice(this.roles.length) : ''
  }

  private isOfRole(path: string): boolean {
    return ROLE_SKILL.test(path) && !this.lone.has(path.slice(0, path.indexOf('/')))
  }

  private placeAgent(place: string, file: LayerFile): void {
    const name = file.path.slice(place.length)
    if (name.includes('/')) {
      const message = 'ignored: nested; agents must be directly in the agents folder'
      this.ignore(file, note('nested', message, { hint: movedAgent(name) }))
    } else if (!/.\.md$/i.test(name)) {
      this.ignore(file, note('not_an_agent_file', 'only <agent>.md files are agents'))
    } else {
      const slots = this.agents.get(place) ?? []
      this.agents.set(place, slots)
      slots.push({ place, file, stem: name.slice(0, -3) })
    }
  }

  private placeSkill(place: string, file: LayerFile): void {
    const innerPath = file.path.slice(place.length)
    const slash = innerPath.indexOf('/')
    const id = innerPath.slice(0, Math.max(0, slash))
    if (slash <= 0) {
      const message = 'a skill must be a folder that contains a SKILL.md file'
      this.ignore(file, note('stray_file', message, { hint: movedSkill(innerPath) }))
    } else if (id.startsWith('.') || /\s/.test(id)) {
      this.ignore(file, warning('skill_directory', `\`${id}\` is not a valid skill name`))
    } else {
      const directories = this.skills.get(place) ?? new Map<string, SkillDirectory>()
      this.skills.set(place, directories)
      const directory = directories.get(id) ?? { mains: [], rest: [], disabled: null }
      directories.set(id, directory)
      const name = innerPath.slice(slash + 1)
      if (name === '.disabled') directory.disabled = file
      else if (name.length === 8 && name.toLowerCase() === 'skill.md') directory.mains.push(file)
      else directory.rest.push(file)
    }
  }

  private ignore(file: LayerFile, finding: Diagnostic): void {
    this.record(file.path, 'other', null, 'ignored', [finding])
  }

  result(): LayerPlan {
    const agents = AGENT_PLACES.flatMap((place) => this.agents.get(place.path) ?? [])
    const skills = this.places.flatMap((place) =>
      this.skillSlots(place.path, place.legacy === true).map((slot) =>
        place.home === undefined ? slot : { ...slot, home: place.home },
      ),
    )
    return {
      kind: this.kind,
      prefix: this.prefix,
      config: this.config ?? this.legacy,
      legacyConfig: this.config === null && this.legacy !== null,
      agents,
      skills,
      schedules: this.schedules,
      records: this.records,
      valid: this.valid,
    }
  }

  private skillSlots(place: string, legacy: boolean): SkillSlot[] {
    const slots: SkillSlot[] = []
    const placeByName = new Map<string, string>()
    for (const [id, directory] of this.skills.get(place) ?? []) {
      if (legacy && this.skills.get('.agents/skills/')?.has(id) === true) {
        const finding = note('legacy_ignored', `ignored because .agents/skills/${id}/ exists`)
        for (const file of filesOf(directory))
          this.record(file.path, 'skill', id, 'ignored', [finding])
        continue
      }
      const earlier = placeByName.get(nameKey(id))
      if (earlier !== undefined && directory.mains.length > 0) {
        const finding = error(
          'duplicate_id',
          `duplicates the skill ${earlier}, which takes precedence`,
        )
        for (const file of filesOf(directory))
          this.record(file.path, 'skill', id, 'rejected', [finding])
        continue
      }
      if (directory.mains.length > 0) placeByName.set(nameKey(id), `${place}${id}/`)
      const slot = this.skillSlot(place, id, directory, legacy)
      if (slot !== undefined) slots.push(slot)
    }
    return slots
  }

  private skillSlot(
    place: string,
    id: string,
    directory: SkillDirectory,
    legacy: boolean,
  ): SkillSlot | undefined {
    const root = `${place}${id}/`
    const main =
      directory.mains.find((file) => file.path === `${root}SKILL.md`) ?? directory.mains[0]
    for (const variant of directory.mains) {
      if (variant === main) continue
      const finding = skillVariant(variant.path, main?.path ?? '')
      this.record(variant.path, 'skill', id, 'rejected', [finding])
    }
    if (directory.disabled !== null) {
      const finding = note('switch', `disables the skill ${id}`)
      this.record(directory.disabled.path, 'skill', id, 'loaded', [finding])
    }
    for (const file of directory.rest) this.recordRest(file, id, root, main !== undefined)
    if (main === undefined && directory.disabled === null) return undefined
    return {
      place,
      legacy,
      id,
      main: main ?? null,
      disabled: directory.disabled,
      files: main === undefined ? [] : directory.rest.map((file) => within(root, file)),
    }
  }

  private recordRest(file: LayerFile, id: string, root: string, inSkill: boolean): void {
    const innerPath = file.path.slice(root.length)
    const isSkill = /(?:^|\/)skill\.md$/i.test(innerPath)
    if (!inSkill) {
      const finding = isSkill
        ? note('nested', 'ignored: nested; a skill must be directly in the skills folder', {
            hint: `move the folder to .agents/skills/${innerPath.split('/').at(-2)}/`,
          })
        : note('no_skill', `${root}SKILL.md not found`)
      this.record(file.path, 'other', null, 'ignored', [finding])
    } else if (isSkill) {
      const finding = note('nested', `ignored: nested inside the skill ${id}`)
      this.record(file.path, 'other', id, 'ignored', [finding])
    } else if (/(?:^|\/)agents\/[^/]+\.md$/i.test(innerPath)) {
      const finding = note('helper_prompt', `a helper prompt of the skill ${id}, not an agent`)
      this.record(file.path, 'other', id, 'ignored', [finding])
    } else this.record(file.path, 'other', id, 'loaded', [])
  }

  private record(
    path: string,
    kind: FileKind,
    id: string | null,
    status: FileStatus,
    diagnostics: readonly Diagnostic[],
  ): void {
    this.records.push({ layer: this.prefix, path, kind, id, status, diagnostics })
  }
}

const LONE_SKILL = /^([^/]+)\/skill\.md$/i
/** Matches skill paths of the form `<role>/<skill>/…`. */
const ROLE_SKILL = /^[a-z0-9_-]+\/[^/]+\/./

const within = (root: string, { path, etag, size }: LayerFile) => ({
  path: path.slice(root.length),
  etag,
  size,
})
const filesOf = ({ mains, disabled, rest: otherFiles }: SkillDirectory): readonly LayerFile[] =>
  [...mains, disabled, ...otherFiles].filter((file) => file !== null)
