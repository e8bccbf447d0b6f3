/** Formats events of a run's log, including their texts, for the command line. */

/** Maximum length of text quoted in an event's line, in characters. */
const REPEATED = 200

/** Event of a run's log. */
export interface LogEvent {
  readonly seq: number
  readonly type: string
  readonly run_id: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns the text of an event body, or the text's beginning if the log shortened it. */
export function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  const preview = (body as { preview?: unknown } | null | undefined)?.preview
  return typeof preview === 'string' ? preview : ''
}

/** Truncates a text to the maximum length shown in an event's line. */
export const cut = (text: string): string =>
  text.length > REPEATED ? `${text.slice(0, REPEATED)}…` : text
