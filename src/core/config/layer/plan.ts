/** The plan of one layer: the kind of each of its keys, before anything is read. */

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
  /** The file's name without `.md`. */
  readonly stem: string
}

export interface SkillSlot {
  readonly place: string
  readonly legacy: boolean
  readonly id: string
  /** Null for a directory that holds only the switch. */
  readonly main: LayerFile | null
  readonly disabled: LayerFile | null
  readonly files: readonly SkillFile[]
  /** The layer that it belongs to, when that is another one. */
  readonly home?: string | undefined
}

export interface LayerPlan {
  readonly kind: LayerKind
  /** Ends with a slash, or is empty for a directory that is a layer by itself. */
  readonly prefix: string
  readonly config: LayerFile | null
  /** True when `config` is the older JSON file. */
  readonly legacyConfig: boolean
  /** In rising precedence, then in key order. */
  readonly agents: readonly AgentSlot[]
  readonly skills: readonly SkillSlot[]
  /** In key order. */
  readonly schedules: readonly AgentSlot[]
  /** Records of all files that are not read. */
  readonly records: readonly FileRecord[]
  /** Whether a role layer counts: a config key, or any key below a directory of skills, agents or schedules. */
  readonly valid: boolean
}
