/** Nobody gets further without a session: the way in, and the app behind it. */

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Loading, Problem } from '../ui/notice.tsx'
import { Inline, loadMarkdown } from '../ui/text.tsx'
import { queries } from './api.ts'
import { beginLoading, router } from './router.tsx'
import { useSignIn } from './session.ts'
import { resumeSession } from './sign-in.ts'
import { SignInForm } from './sign-in-form.tsx'
import { useTitle } from './title.ts'
import { useWords } from './words.ts'

const SOON_MS = 1_000
const AGAIN_MS = 2_000

export function Gate() {
  const words = useWords()
  const { session } = useSignIn()
  useTitle(session ? undefined : words('signin.title'))
  const [state, setState] = useState<'asking' | 'known' | { readonly error: unknown }>('asking')
  const again = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = (shown = true): void => {
    if (shown) setState('asking')
    resumeSession().then(
      () => setState('known'),
      (error: unknown) => {
        setState({ error })
        // Said, and tried again until somebody answers: by one timer, however often one presses.
        clearTimeout(again.current)
        again.current = setTimeout(() => ask(false), AGAIN_MS)
      },
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page opens.
  useEffect(() => {
    ask()
    beginLoading()
  }, [])
  useEffect(() => {
    // Soon needed, and not to be missed when the connection is lost.
    if (session) setTimeout(() => void loadMarkdown(), SOON_MS)
  }, [session])
  if (session) {
    return (
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    )
  }
  if (state === 'asking') return <Loading />
  return (
    <main className="grid h-full place-items-center overflow-y-auto p-4">
      <div className="grid w-full max-w-sm gap-5 rounded-2xl border border-line bg-surface p-6 shadow-float">
        <div className="flex items-center gap-3">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" className="size-8" />
          <h1 className="text-lg font-semibold">{words('signin.title')}</h1>
        </div>
        <p className="text-sm text-muted">
          <Inline text={words('signin.hint')} />
        </p>
        {state !== 'known' && <Problem error={state.error} onRetry={() => ask()} />}
        <SignInForm />
      </div>
    </main>
  )
}
