/** Plan of one layer: the kind of each key, determined before reading any content. */

import type { FileRecord, LayerKind, SkillFile } from '../types.ts'

/** Object below the layer's prefix. */
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
  /** SKILL.md; null for a folder with only a switch. */
  readonly main: LayerFile | null
  readonly disabled: LayerFile | null
  readonly files: readonly SkillFile[]
  /** Owning layer, if different. */
  readonly home?: string | undefined
}

export interface LayerPlan {
  readonly kind: LayerKind
  /** Layer prefix with a trailing slash; empty for a folder checked alone. */
  readonly prefix: string
  readonly config: LayerFile | null
  /** Whether `config` is the legacy JSON file. */
  readonly legacyConfig: boolean
  /** Agents by ascending precedence, then in key order. */
  readonly agents: readonly AgentSlot[]
  readonly skills: readonly SkillSlot[]
  /** Schedules in key order. */
  readonly schedules: readonly AgentSlot[]
  /** Records of all unread files. */
  readonly records: readonly FileRecord[]
  /**
   * Whether a role layer is valid: it contains a configuration file, or any file below a folder of
   * skills, agents, or schedules.
   */
  readonly valid: boolean
}
