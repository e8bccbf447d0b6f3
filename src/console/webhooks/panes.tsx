/** A list beside the selected entry; on narrow pages, the entry covers the list. */

import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'

interface Props {
  /** Accessible name of the selected entry. */
  readonly label: string
  readonly list: ReactNode
  /** Bar below the list. */
  readonly foot?: ReactNode
  /** The selected entry; undefined if none is selected. */
  readonly entry: ReactNode | undefined
  readonly isEmpty: boolean
  readonly onBack: () => void
}

export function Panes({ label, list, foot, entry, isEmpty, onBack }: Props) {
  const words = useWords()
  const isOpen = entry !== undefined
  return (
    <div className="flex min-h-0 flex-1">
      <div
        className={`min-h-0 w-full flex-col md:flex md:w-2/5 md:max-w-xl md:border-r md:border-line ${isOpen ? 'hidden' : 'flex'}`}
      >
        <div className="min-h-0 flex-1 overflow-y-auto">{list}</div>
        {foot}
      </div>
      <section
        aria-label={label}
        className={`min-h-0 min-w-0 flex-1 overflow-y-auto ${isOpen ? '' : 'hidden md:block'}`}
      >
        <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-3 p-4">
          <div className="md:hidden">
            <Button look="quiet" icon="left" onClick={onBack}>
              {words('webhooks.back')}
            </Button>
          </div>
          {entry ?? (!isEmpty && <p className="text-sm text-text-2">{words('webhooks.select')}</p>)}
        </div>
      </section>
    </div>
  )
}
