/** Dialog with a secret or a key that the server returns only once. */

import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { CopyButton, Plain } from '../text/text.tsx'

interface Props {
  readonly title: string
  readonly hint: string
  readonly secret: string
  readonly onClose: () => void
}

/** Only the button closes the dialog, because the secret cannot be read again. */
export function SecretDialog({ title, hint, secret, onClose }: Props) {
  const words = useWords()
  return (
    <Dialog title={title} open firm onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-sm">{hint}</p>
        <p className="flex items-center gap-2 rounded-md border border-line bg-subtle px-3 py-2">
          <code
            aria-label={title}
            role="group"
            className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]"
          >
            <Plain text={secret} />
          </code>
          <CopyButton text={secret} />
        </p>
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            {words('webhooks.secret.stored')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
