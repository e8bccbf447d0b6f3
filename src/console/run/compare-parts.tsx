/** Parts of a comparison: sections, signs of changes, and the note that nothing differs. */

import type { ReactNode } from 'react'
import { useWords, type Word } from '../i18n/words.ts'

interface SectionProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}

export function Section({ title, note, children }: SectionProps) {
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2" aria-label={title}>
      <h2 className="text-lg font-semibold">
        {title}
        {note && <span className="pl-2 text-sm font-normal text-text-2">{note}</span>}
      </h2>
      {children}
    </section>
  )
}

export function Equal({ text = 'compare.equal' }: { readonly text?: Word }) {
  const words = useWords()
  return <p className="text-sm text-text-2">{words(text)}</p>
}

const LOOKS = {
  added: { sign: '+', color: 'bg-added' },
  removed: { sign: '−', color: 'bg-removed' },
  changed: { sign: '±', color: 'bg-sunken' },
} as const

export function Change({ change }: { readonly change: keyof typeof LOOKS }) {
  const words = useWords()
  const { sign, color } = LOOKS[change]
  return (
    <span className={`shrink-0 rounded px-1.5 text-xs leading-5 whitespace-nowrap ${color}`}>
      {sign} {words(`compare.${change}`)}
    </span>
  )
}
