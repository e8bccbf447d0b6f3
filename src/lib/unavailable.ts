/**
 * Error for a dependency that fails or does not respond, as opposed to rejections and bugs. Ports
 * throw this error; a retry may succeed.
 */

export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  /** Sentence for the client; unlike the message, it names no host and no path. */
  readonly detail: string

  constructor(message: string, { detail = STORAGE, ...options }: UnavailableOptions = {}) {
    super(message, options)
    this.detail = detail
  }
}

interface UnavailableOptions extends ErrorOptions {
  readonly detail?: string
}

const STORAGE = 'Storage is temporarily unavailable; retry the request.'

/** Wraps a port so that errors accepted by `isTrouble` are thrown as `Unavailable`. */
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
