/** A key, given once, becomes the session of this browser. */

import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { Problem } from '../ui/notice.tsx'
import { signInWith } from './sign-in.ts'
import { useWords } from './words.ts'

export function SignInForm() {
  const words = useWords()
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await signInWith(key.trim())
    } catch (failed) {
      setError(failed)
      setBusy(false)
    }
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Input
        label={words('signin.key')}
        hint={words('signin.once')}
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <Problem error={error} />
      <Button look="primary" type="submit" busy={busy} disabled={key.trim() === ''}>
        {words('signin.submit')}
      </Button>
    </form>
  )
}
