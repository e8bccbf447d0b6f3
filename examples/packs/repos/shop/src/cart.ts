/** A cart: lines of a product and a quantity. Amounts are whole cents. */

import { discounted } from './discount.ts'
import { priceOf } from './price.ts'

export interface Line {
  readonly product: string
  readonly quantity: number
}

export function total(lines: readonly Line[], code?: string): number {
  const sum = lines.reduce((cents, line) => cents + priceOf(line.product) * line.quantity, 0)
  return discounted(sum, code)
}
