/** Schema or other JSON object, as written to openapi.json. */

export type Json = Readonly<Record<string, unknown>>

/** Prefix of a schema reference, followed by the schema's ID. */
export const COMPONENT = '#/components/schemas/'

export const isMap = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
