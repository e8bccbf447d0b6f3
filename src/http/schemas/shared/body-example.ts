/** A named example of a request body. */

interface BodyExample {
  readonly summary: string
  /** Description of a value to replace, or of a header that the example needs. */
  readonly description?: string
  readonly value: unknown
}

/** Examples by operation, each with a name. */
export type BodyExamples = Readonly<Record<string, Readonly<Record<string, BodyExample>>>>

/** Returns the description of an example whose ID exists in no deployment. */
export const replaced = (member: string, source: string): string =>
  `Replace \`${member}\` with an ID from ${source}; the ID shown is an example.`
