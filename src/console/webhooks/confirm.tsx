/** Dialog that asks before an action that cannot be undone. */

import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Problem } from '../kit/notice.tsx'

interface Props {
  readonly title: string
  readonly question: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function Confirm({ title, question, isBusy, error, onConfirm, onClose }: Props) {
  const words = useWords()
  return (
    <Dialog title={title} open onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm [overflow-wrap:anywhere]">{question}</p>
        <Problem error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="danger" busy={isBusy} onClick={onConfirm}>
            {title}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
