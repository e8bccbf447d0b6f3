/**
 * Error for a failed assertion. Assertions detect only programming errors, never invalid external
 * input.
 */

class Bug extends Error {
  override readonly name = 'Bug'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}
