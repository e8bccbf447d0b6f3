/** A member that a record has itself: a name from outside may be `constructor` or `__proto__`. */
export const getOwn = <V>(
  record: Readonly<Record<string, V>> | undefined,
  name: string,
): V | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)
