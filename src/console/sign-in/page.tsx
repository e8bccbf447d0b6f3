/** Sign-in page for a browser without a session. */

import { useWords } from '../i18n/words.ts'
import { Problem } from '../kit/notice.tsx'
import { useTitle } from '../kit/title.ts'
import { Inline } from '../text/text.tsx'
import { SignInForm } from './form.tsx'

interface Props {
  readonly isLinkRefused: boolean
  /** Error of the existing session. */
  readonly error?: unknown
}

export function SignIn({ isLinkRefused, error }: Props) {
  const words = useWords()
  useTitle(words('signin.title'))
  return (
    <main className="grid h-full place-items-center overflow-y-auto bg-subtle p-4">
      <div className="grid w-full max-w-sm gap-4 rounded-lg border border-line bg-raised p-6">
        <div className="flex items-center gap-2.5">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-7" />
          <h1 className="text-lg font-semibold">{words('signin.title')}</h1>
        </div>
        {isLinkRefused ? (
          <p role="alert" className="rounded-lg bg-asks-tint px-3 py-2 text-sm text-asks">
            {words('signin.refused')}
          </p>
        ) : (
          <p className="text-sm text-text-2">
            <Inline text={words('signin.hint')} />
          </p>
        )}
        <Problem error={error} />
        <SignInForm />
      </div>
    </main>
  )
}
