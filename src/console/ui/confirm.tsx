/** Asks before something that cannot be undone. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './notice.tsx'

export function Confirm({
  word,
  question,
  act,
  touches,
}: {
  /** On the button, and on the one that does it. */
  readonly word: string
  readonly question: string
  readonly act: () => Promise<unknown>
  /** The queries that are asked again. */
  readonly touches: readonly unknown[]
}) {
  const words = useWords()
  const cache = useQueryClient()
  const [open, setOpen] = useState(false)
  const doing = useMutation({
    mutationFn: act,
    onSuccess: () => {
      setOpen(false)
      return cache.invalidateQueries({ queryKey: [...touches] })
    },
  })
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {word}
      </Button>
      <Dialog title={word} open={open} onClose={() => setOpen(false)}>
        <div className="grid gap-4">
          <p className="text-sm">{question}</p>
          <Problem error={doing.error} />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{words('cancel')}</Button>
            <Button look="danger" busy={doing.isPending} onClick={() => doing.mutate()}>
              {word}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
