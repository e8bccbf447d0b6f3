/** Example of a request body, shown with a name. */

interface BodyExample {
  readonly summary: string
  /** Describes a value to replace, or a header that the example needs. */
  readonly description?: string
  readonly value: unknown
}

/** Named examples of request bodies, by operation. */
export type BodyExamples = Readonly<Record<string, Readonly<Record<string, BodyExample>>>>

/**
 * Returns the description of an example that contains a fictitious ID, which the user must replace.
 */
export const replaced = (member: string, source: string): string =>
  `Replace \`${member}\` with an ID from ${source}; the ID shown is an example.`
