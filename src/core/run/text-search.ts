/**
 * Whether a text stands in the row that a list shows of a run. No index knows of it: it is looked
 * for in what the row holds, so it costs nothing when a run is written.
 */

import type { RunView } from './view.ts'

/** In one case, and with characters composed: the same sign is the same text. */
const plain = (text: string): string => text.normalize('NFC').toLowerCase()

export function hasText(run: RunView, wanted: string): boolean {
  const { id, session_id, label, agent, model, role, input, error, metadata } = run
  const texts = [id, session_id, label, agent, model, role, input, error?.message]
  const needle = plain(wanted)
  return [...texts, ...Object.values(metadata)].some(
    (text) => typeof text === 'string' && plain(text).includes(needle),
  )
}
