/** Checks for programming errors only: external input is a condition, never an assertion. */

class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}
