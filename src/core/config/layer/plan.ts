/** Plan of one layer: the kind of each file, determined by its key before any content is read. */

import type { FileRecord, LayerKind, SkillFile } from '../types.ts'

/** Object in the bucket below the layer's prefix. */
export interface LayerFile {
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface AgentSlot {
  readonly place: string
  readonly file: LayerFile
  /** Name of the agent or schedule file without `.md`. */
  readonly stem: string
}

export interface SkillSlot {
  readonly place: string
  readonly legacy: boolean
  readonly id: string
  /** The skill's SKILL.md; null for a folder that contains only a switch. */
  readonly main: LayerFile | null
  readonly disabled: LayerFile | null
  readonly files: readonly SkillFile[]
  /** Prefix of the layer that owns the skill, if different. */
  readonly home?: string | undefined
}

export interface LayerPlan {
  readonly kind: LayerKind
  /** Prefix of the layer with a trailing slash; empty for a folder checked alone. */
  readonly prefix: string
  readonly config: LayerFile | null
  /** Whether `config` is the legacy JSON file. */
  readonly legacyConfig: boolean
  /** Agent files by ascending precedence, then in key order. */
  readonly agents: readonly AgentSlot[]
  readonly skills: readonly SkillSlot[]
  /** Schedule files in key order. */
  readonly schedules: readonly AgentSlot[]
  /** Records of all files in the layer that are not read. */
  readonly records: readonly FileRecord[]
  /**
   * Whether the role layer is valid: it contains a configuration file, or any file below a folder
   * of skills, agents, or schedules.
   */
  readonly valid: boolean
}
