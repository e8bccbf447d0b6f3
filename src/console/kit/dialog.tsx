/** Modal dialog that Escape closes; after input into a form of the dialog, Escape asks first. */

import { type ReactNode, useId, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { IconButton } from './button.tsx'
import { CONTENT, useModal } from './modal.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  /** Whether the user cannot close the dialog. */
  readonly firm?: boolean
}

/** Dialog that is rendered only while `open` is true. */
export const Dialog = ({ open, ...props }: Props & { readonly open: boolean }) =>
  open ? <OpenDialog {...props} /> : null

function OpenDialog({ title, onClose, children, wide, firm }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const words = useWords()
  const hasInput = useRef(false)
  const [asks, setAsks] = useState(false)
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
        // Browsers close a dialog at the second Escape, even if a handler canceled the first.
        if (firm) ref.current?.showModal()
        else onClose()
      }}
      onCancel={(event) => {
        // Nested dialogs and file fields emit cancel events of their own.
        if (event.target !== ref.current) return
        event.preventDefault()
        if (firm) return
        if (hasInput.current && !asks) setAsks(true)
        else onClose()
      }}
      onInput={({ target }) => {
        if (!(target as Element).closest('form')) return
        hasInput.current = true
        setAsks(false)
      }}
      className={`m-auto max-h-[90dvh] w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-0 text-text shadow-float ${wide ? 'max-w-4xl' : 'max-w-lg'}`}
    >
      <div className="flex items-center justify-between gap-4 border-b border-line px-4 py-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {!firm && <IconButton icon="close" label={words('close')} onClick={onClose} />}
      </div>
      <div {...{ [CONTENT]: '' }} className="p-4">
        {children}
      </div>
      <p
        role="status"
        className="sticky bottom-0 border-t border-line bg-raised px-4 py-2 text-sm empty:hidden"
      >
        {asks && words('dialog.asks')}
      </p>
    </dialog>
  )
}
