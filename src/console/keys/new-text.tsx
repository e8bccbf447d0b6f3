/** Dialog with the text of a new key, which the server returns only once. */

import { useWords } from '../i18n/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { SecretDialog } from '../webhooks/secret.tsx'

interface Props {
  /** Text of the key; null if the response with the text was lost, and the request was repeated. */
  readonly text: string | null
  readonly onClose: () => void
}

export function NewText({ text, onClose }: Props) {
  const words = useWords()
  const title = words('keys.text')
  if (text !== null)
    return <SecretDialog {...{ title, onClose }} hint={words('keys.text.once')} secret={text} />
  return (
    <Dialog title={title} open onClose={onClose}>
      <p className="text-sm">{words('keys.text.lost')}</p>
    </Dialog>
  )
}
