/** The session has ended while the page was open: signing in again loses nothing that was typed. */

import { Dialog } from '../ui/dialog.tsx'
import { useSignIn } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { useWords } from './words.ts'

export function SignedOut() {
  const words = useWords()
  const { ended } = useSignIn()
  return (
    <Dialog title={words('signin.title')} open={ended} onClose={() => {}} firm>
      <p className="mb-4 text-sm">{words('signin.expired')}</p>
      <SignInForm />
    </Dialog>
  )
}
