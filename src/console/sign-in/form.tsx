/** Form for an API key, which is exchanged for a session. */

import { type FormEvent, useState } from 'react'
import { signInWith } from '../data/sign-in.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Input } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'

export function SignInForm() {
  const words = useWords()
  const [key, setKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await signInWith(key.trim())
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <form className="grid gap-3" onSubmit={submit}>
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
      <Button look="primary" type="submit" busy={isBusy} disabled={key.trim() === ''}>
        {words('signin.submit')}
      </Button>
    </form>
  )
}
