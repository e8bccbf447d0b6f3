/** Names in a head, however their author wrote the list. */

/** A list, or one text with commas. */
export function wordsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return list.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []))
}
