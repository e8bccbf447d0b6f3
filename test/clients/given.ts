/** What each client is given: a server, its key, and a place where webhooks arrive. */

export interface Given {
  readonly url: string
  readonly key: string
  /** Origin of the OpenID Connect issuer that the server trusts; a program can listen there. */
  readonly issuer: string
  /** Where webhooks may be sent. */
  readonly receiver: string
  /** The body of the next webhook that has not been asked for. */
  readonly webhook: () => Promise<unknown>
  /** The same as it came. */
  readonly message: () => Promise<Message>
}

export interface Message {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A file below folders, with what a URL must encode. */
export const FILE = 'base/notes/wörter und mehr.md'
export const NO_RUN = 'run_00000000000000000000000000'
