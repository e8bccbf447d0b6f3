/** A named example of a request body. */

interface BodyExample {
  readonly summary: string
  /** Says what to replace, or which header the example needs. */
  readonly description?: string
  readonly value: unknown
}

/** The examples of operations, each by its name. */
export type BodyExamples = Readonly<Record<string, Readonly<Record<string, BodyExample>>>>

/** Returns the description of an example whose ID exists in no deployment. */
export const replaced = (member: string, source: string): string =>
  `Replace \`${member}\` with an ID from ${source}; the ID shown is an example.`
