/**
 * The third kind of trouble beside refusals and bugs: a service that we depend on does not answer,
 * or answers with trouble of its own. Ports throw it, and the same may succeed a moment later.
 */

export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** The same port; what it throws is `Unavailable` where `isTrouble` says so. */
export function tellingTrouble<T extends object>(
  port: T,
  isTrouble: (error: unknown) => boolean,
): T {
  const wrap =
    (act: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      try {
        return await act(...args)
      } catch (error) {
        if (!isTrouble(error)) throw error
        const message = error instanceof Error ? error.message || error.name : String(error)
        throw new Unavailable(message, { cause: error })
      }
    }
  return Object.fromEntries(Object.entries(port).map(([name, act]) => [name, wrap(act)])) as T
}
