/** An event of a run's log as the command line reads it, and the texts in it. */

/** Characters of a text that is repeated in the line of an event. */
const REPEATED = 200

/** An event of a log. */
export interface LogEvent {
  readonly seq: number
  readonly type: string
  readonly run_id: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A text, or how one begins that is too long for the log. */
export function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  const preview = (body as { preview?: unknown } | null | undefined)?.preview
  return typeof preview === 'string' ? preview : ''
}

/** The beginning of a long text. */
export const cut = (text: string): string =>
  text.length > REPEATED ? `${text.slice(0, REPEATED)}…` : text
