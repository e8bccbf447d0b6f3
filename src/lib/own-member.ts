/** Returns a record's own member, because external names may be `constructor` or `__proto__`. */
export const getOwn = <V>(
  record: Readonly<Record<string, V>> | undefined,
  name: string,
): V | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)
