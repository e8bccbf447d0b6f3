/** Batches concurrent calls to one Durable Object, because each call is a separate message. */

/** Number of microtask turns that a batch waits for further calls; covers one engine step. */
const TURNS = 4

/** Gathers concurrent requests for one object name into a single call. */
export function gathered<T, R>(
  call: (name: string, items: readonly T[]) => Promise<readonly R[]>,
): (name: string, item: T) => Promise<R> {
  const waiting = new Map<
    string,
    { readonly items: T[]; readonly answers: Promise<readonly R[]> }
  >()
  const begin = (name: string) => {
    const items: T[] = []
    const send = async (): Promise<readonly R[]> => {
      for (let turn = 0; turn < TURNS; turn += 1) await undefined
      waiting.delete(name)
      return call(name, items)
    }
    const batch = { items, answers: send() }
    waiting.set(name, batch)
    return batch
  }
  return async (name, item) => {
    const batch = waiting.get(name) ?? begin(name)
    const place = batch.items.push(item) - 1
    return (await batch.answers)[place]!
  }
}
