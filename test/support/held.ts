/**
 * A server whose runs stand still until they are let go on, without text as it comes, for who
 * watches them from a browser. It is loaded by its name alone, because the types of a server are
 * not those of a page.
 */

export interface Gate {
  /** From here on each commit that has facts of a run waits. */
  close(): void
  /** Commits that wait. */
  waiting(): number
  /** Lets the oldest happen. */
  letOne(): Promise<void>
}

export interface Held {
  readonly url: string
  readonly key: string
  readonly gate: Gate
  /** Lets all go on, and stops; fails when the server has reported an error. */
  close(): Promise<void>
}

type Settings = Readonly<Record<string, string | undefined>>

export async function startHeld(settings: Settings): Promise<Held> {
  const { href } = new URL('./held-server.ts', import.meta.url)
  const { start } = (await import(href)) as {
    readonly start: (settings: Settings) => Promise<Held>
  }
  return start(settings)
}
