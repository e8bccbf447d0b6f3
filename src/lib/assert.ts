/** Checks for our own bugs only: input from outside is a condition, never an assertion. */

class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}
