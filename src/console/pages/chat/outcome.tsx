/** How a tool call went, as a mark. */

import { useWords, type Word } from '../../app/words.ts'
import type { Called } from '../../chat/shape.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'good',
  error: 'bad',
  unknown: 'warn',
  refused: 'bad',
  asks: 'warn',
  running: 'busy',
  pending: 'neutral',
  stopped: 'neutral',
}

export function Outcome({ call, ended }: { readonly call: Called; readonly ended: boolean }) {
  const words = useWords()
  const { status } = call
  const isOpen = status === 'pending' || status === 'running' || status === 'asks'
  const shown = ended && isOpen ? 'stopped' : status
  const mark = shown === 'asks' && call.question ? 'answer' : shown
  return (
    <Badge tone={TONES[shown] ?? 'neutral'}>
      {shown === 'running' && (
        <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" />
      )}
      {words(`chat.call.${mark}` as Word)}
    </Badge>
  )
}
