/** Prices in cents. */

const PRICES: Readonly<Record<string, number>> = { pen: 190, notebook: 450, desk: 24_900 }

export function priceOf(product: string): number {
  return PRICES[product] ?? 0
}
