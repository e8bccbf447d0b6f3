/** The lines of a conversation in their order: what a list can show without all that lies above. */

import { itemsOf } from '../../chat/conversation.ts'
import type { Item, RunView } from '../../chat/shape.ts'
import type { Turn } from '../../chat/turns.ts'

export type Row =
  | { readonly kind: 'past'; readonly key: string; readonly item: Item }
  | { readonly kind: 'item'; readonly key: string; readonly item: Item; readonly view: RunView }
  /** Asked for, and not begun or not read yet. */
  | { readonly kind: 'asked'; readonly key: string; readonly turn: Turn }
  | { readonly kind: 'foot'; readonly key: string; readonly turn: Turn; readonly view: RunView }

export function rowsOf(past: readonly Item[], turns: readonly Turn[]): readonly Row[] {
  const rows: Row[] = past.map((item) => ({ kind: 'past', key: item.key, item }))
  for (const turn of turns) {
    const { run, view } = turn
    if (!view) {
      rows.push({ kind: 'asked', key: run.id, turn })
      continue
    }
    for (const item of itemsOf(view)) rows.push({ kind: 'item', key: item.key, item, view })
    rows.push({ kind: 'foot', key: `${run.id}-foot`, turn, view })
  }
  return rows
}
