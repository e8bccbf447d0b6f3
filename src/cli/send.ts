/** Sends a message to a live run, and reports whether the message answers the run's question. */

import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import { withFiles } from './attach.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

export async function send(
  terminal: Terminal,
  run: string,
  text: string,
  { json, attach }: { readonly json?: boolean; readonly attach: readonly string[] },
): Promise<number> {
  const content = await withFiles(text, attach)
  // The client's retries send the same message, with the same idempotency key.
  const sent = await clientOf(terminal.env).runs.send(run, { content })
  const outcome = sent.answers === null ? 'will be read by the run' : `answers ${sent.answers}`
  terminal.out(json ? jsonLine(sent) : oneLine(`${sent.message_id} ${outcome}`))
  return 0
}
