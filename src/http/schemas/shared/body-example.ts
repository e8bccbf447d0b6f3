/** One named example of a request body. */

interface BodyExample {
  readonly summary: string
  /** What to replace, or what to choose beside the body. */
  readonly description?: string
  readonly value: unknown
}

/** The examples of operations, each by its name. */
export type BodyExamples = Readonly<Record<string, Readonly<Record<string, BodyExample>>>>

export const replaced = (member: string, source: string): string =>
  `Replace \`${member}\` with an ID from ${source}; the one shown is made up.`
