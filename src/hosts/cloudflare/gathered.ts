/**
 * Calls to one object that begin together are one call: each is a message of its own otherwise.
 * Where many ask one object, those that come while a call is under way wait and are the next one
 * together. Each call begins after everything in it was asked, so that no answer is older than its
 * question.
 */

/** So many turns of promises a call waits for others: those that one step of the engine begins. */
const TURNS = 4

/**
 * One call for all that is asked of one name at once; it answers for each in its place. `inTurn`:
 * names of which one call is under way at most.
 */
export function gathered<T, R>(
  call: (name: string, items: readonly T[]) => Promise<readonly R[]>,
  inTurn: (name: string) => boolean = () => false,
): (name: string, item: T) => Promise<R> {
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<
    string,
    { readonly items: T[]; readonly answers: Promise<readonly R[]> }
  >()
  const begin = (name: string) => {
    const items: T[] = []
    const send = async (): Promise<readonly R[]> => {
      for (let turn = 0; turn < TURNS; turn += 1) await undefined
      await underWay.get(name)
      waiting.delete(name)
      const answers = call(name, items)
      if (inTurn(name)) {
        const over = answers.then(noop, noop).finally(() => underWay.delete(name))
        underWay.set(name, over)
      }
      return answers
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

const noop = (): void => {}
