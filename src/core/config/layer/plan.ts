/** The plan of one layer: the kind of each key, before anything is read. */

import type { FileRecord, LayerKind, SkillFile } from '../types.ts'

/** An object below the layer's prefix. */
export interface LayerFile {
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface AgentSlot {
  readonly place: string
  readonly file: LayerFile
  /** File name without `.md`. */
  readonly stem: string
}

export interface SkillSlot {
  readonly place: string
  readonly legacy: boolean
  readonly id: string
  /** SKILL.md; null for a directory with only a switch. */
  readonly main: LayerFile | null
  readonly disabled: LayerFile | null
  readonly files: readonly SkillFile[]
  /** The owning layer, if different. */
  readonly home?: string | undefined
}

export interface LayerPlan {
  readonly kind: LayerKind
  /** Ends with a slash; empty for a directory checked by itself. */
  readonly prefix: string
  readonly config: LayerFile | null
  /** Whether `config` is the older JSON file. */
  readonly legacyConfig: boolean
  /** Agents by ascending precedence, then in key order. */
  readonly agents: readonly AgentSlot[]
  readonly skills: readonly SkillSlot[]
  /** Schedules in key order. */
  readonly schedules: readonly AgentSlot[]
  /** Records of all unread files. */
  readonly records: readonly FileRecord[]
  /**
   * Whether a role layer is valid: it has a config key, or any key below a directory of skills,
   * agents, or schedules.
   */
  readonly valid: boolean
}
