/** A limit: its number, and the reason for it. The table of all of them is `limits.ts`. */

export const bound = (value: number, reason: string) => ({ value, reason })
