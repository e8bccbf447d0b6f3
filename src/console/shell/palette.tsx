/**
 * Command palette: Ctrl-K opens it, arrow keys select, and Enter runs the command. The content
 * loads when first opened.
 */

import { type ComponentType, useEffect, useState } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useWords } from '../i18n/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { isCovered } from '../kit/shortcuts.ts'

type Content = ComponentType<{ readonly onClose: () => void }>

export function Palette() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [Content, setContent] = useState<Content>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // An open dialog has priority, because navigation would lose the dialog's inputs.
      if (!event.repeat && !isCovered()) setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!isOpen || Content) return
    setError(undefined)
    loaded(() => import('./palette-content.tsx')).then(
      ({ PaletteContent }) => setContent(() => PaletteContent),
      setError,
    )
  }, [isOpen, Content])
  const close = (): void => setOpen(false)
  return (
    <Dialog title={words('palette.title')} open={isOpen} onClose={close}>
      {Content ? <Content onClose={close} /> : !error && <Loading />}
      <Problem error={error} />
    </Dialog>
  )
}
