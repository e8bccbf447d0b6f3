/**
 * Descriptions of the keys that authors write: for the loaders, `docs/authoring.md`, and the JSON
 * Schemas of `strata schema`.
 */

import * as z from 'zod'

/**
 * Outcome of a value that the schema does not admit: `file`: the file is rejected; `entry`: the server is unavailable;
 * `ignored`: the value is ignored with a warning.
 */
export type Otherwise = 'file' | 'entry' | 'ignored'

export interface FileKey {
  readonly name: string
  /** Names of other products that are read as this key. */
  readonly aliases?: readonly string[]
  /** Values that load without a warning. */
  readonly schema: z.ZodType
  /** The behavior of a file without the key. */
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
