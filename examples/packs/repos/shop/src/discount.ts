/** Codes that take a share off the sum. */

const SHARES: Readonly<Record<string, number>> = { SPRING: 0.1, STAFF: 0.25 }

export function discounted(cents: number, code?: string): number {
  const share = code === undefined ? 0 : (SHARES[code] ?? 0)
  return cents - cents * share
}
