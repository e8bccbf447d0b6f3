/** A dialog over the page: it keeps the focus, and Escape closes it. */

import { type ReactNode, useId, useRef } from 'react'
import { useWords } from '../app/words.ts'
import { IconButton } from './button.tsx'
import { MATTER, useModal } from './modal.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  /** It cannot be closed: something must be done first. */
  readonly firm?: boolean
}

/** A component of its own for each time that it is open: it ends while its element is there. */
export const Dialog = ({ open, ...props }: Props & { readonly open: boolean }) =>
  open ? <OpenDialog {...props} /> : null

function OpenDialog({ title, onClose, children, wide, firm }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const words = useWords()
  useModal(ref)
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (firm && event.key === 'Escape') event.preventDefault()
      }}
      onClose={({ target }) => {
        if (target !== ref.current) return
        // A browser lets a dialog be closed in the end, whatever it is answered.
        if (firm) ref.current?.showModal()
        else onClose()
      }}
      onCancel={(event) => {
        // A dialog in this one, or a field for files, is cancelled alone.
        if (event.target !== ref.current) return
        event.preventDefault()
        if (!firm) onClose()
      }}
      className={`m-auto max-h-[90dvh] w-[calc(100vw-2rem)] rounded-2xl border border-line bg-surface p-0 text-text shadow-float ${wide ? 'max-w-4xl' : 'max-w-lg'}`}
    >
      <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {!firm && <IconButton icon="close" label={words('close')} onClick={onClose} />}
      </div>
      <div {...{ [MATTER]: '' }} className="p-5">
        {children}
      </div>
    </dialog>
  )
}
