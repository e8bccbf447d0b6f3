/** Sign-in overlay above a page whose session has ended. The page keeps its drafts. */

import { useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { SignInForm } from '../sign-in/form.tsx'

export function SignedOut() {
  const words = useWords()
  const { hasEnded } = useSession()
  return (
    <Dialog title={words('signin.title')} open={hasEnded} onClose={() => {}} firm>
      <p className="mb-4 text-sm">{words('signin.expired')}</p>
      <SignInForm />
    </Dialog>
  )
}
