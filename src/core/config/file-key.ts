/**
 * Descriptions of the keys that authors write in files. The loaders, `docs/authoring.md`, and the
 * JSON Schemas of `strata schema` use them.
 */

import * as z from 'zod'

/**
 * Effect of a value that violates the schema: `file` rejects the file, `entry` makes the server
 * unavailable, and `ignored` ignores the value with a warning.
 */
export type Otherwise = 'file' | 'entry' | 'ignored'

export interface FileKey {
  readonly name: string
  /** Names that other products use for this key, accepted as aliases. */
  readonly aliases?: readonly string[]
  /** Schema of the key's values that load without a warning. */
  readonly schema: z.ZodType
  /** Description of what applies if the file does not contain the key. */
  readonly default: string
  readonly example: unknown
  readonly about: string
  readonly otherwise: Otherwise
}

export const TEXT = z.string().min(1)
export const BOOLEAN = z.boolean()
export const TEXTS = z.array(TEXT)
export const MAP = z.record(z.string(), z.unknown())

export const integer = (minimum: number, maximum: number) => z.int().min(minimum).max(maximum)
export const mapOf = (schema: z.ZodType) => z.record(z.string(), schema)
