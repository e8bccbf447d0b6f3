/** The app behind its sign-in: a link, a session that is there, or a key. */

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { queries } from '../data/api.ts'
import { useSession } from '../data/session.ts'
import { type Resumed, resumeSession } from '../data/sign-in.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { SignIn } from '../sign-in/page.tsx'
import { preloadPage, router } from './router.tsx'

const RETRY_MS = 2_000

/** Of a page that is being loaded: it is requested once, however often it renders. */
let resuming: Promise<Resumed> | undefined

export function Gate() {
  const { session } = useSession()
  const [resumed, setResumed] = useState<Resumed>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const resume = (): void => {
      resuming ??= resumeSession()
      resuming.then(setResumed, (failure: unknown) => {
        resuming = undefined
        setError(failure)
        timer = setTimeout(resume, RETRY_MS)
      })
    }
    resume()
    preloadPage()
    return () => clearTimeout(timer)
  }, [])
  if (session) {
    return (
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    )
  }
  if (resumed) return <SignIn isLinkRefused={resumed === 'link-refused'} />
  if (error === undefined) return <Loading />
  return (
    <div className="mx-auto max-w-md p-6">
      <Problem error={error} />
    </div>
  )
}
