/** JSON Schemas as written to the document. */

export type Json = Readonly<Record<string, unknown>>

/** Prefix of a reference to a schema, before the ID. */
export const COMPONENT = '#/components/schemas/'

export const isMap = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
