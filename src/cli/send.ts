/** Sends a message to a live run, and says whether it answers what the run asks. */

import { randomUUID } from 'node:crypto'
import { oneLine } from '../lib/visible.ts'
import { askJson, serverOf } from './api.ts'
import { withFiles } from './attach.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

const TRIES = 3

interface Sent {
  readonly message_id: string
  readonly run_id: string
  readonly answers: string | null
}

export async function send(
  terminal: Terminal,
  run: string,
  text: string,
  { json, attach }: { readonly json?: boolean; readonly attach: readonly string[] },
): Promise<number> {
  const content = await withFiles(text, attach)
  const sent = await askJson<Sent>(
    serverOf(terminal.env),
    `/v1/runs/${encodeURIComponent(run)}/messages`,
    {
      method: 'POST',
      // Tried again it is the same message.
      headers: { 'idempotency-key': randomUUID() },
      json: { content },
      tries: TRIES,
    },
  )
  const meaning = sent.answers === null ? 'will be read' : `answers ${sent.answers}`
  terminal.out(json ? jsonLine(sent) : oneLine(`${sent.message_id} ${meaning}`))
  return 0
}
