/** Checks for our own bugs only: what arrives from outside is a condition, never an assertion. */

export class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}

/** Marks a branch that the types rule out; a new member of the union fails to compile here. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`)
}
