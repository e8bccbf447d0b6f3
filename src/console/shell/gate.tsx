/** Sign-in gate of the console: by link, existing session, or API key. */

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { ConnectionError, queries } from '../data/api.ts'
import { useSession } from '../data/session.ts'
import { type Resumed, resumeSession } from '../data/sign-in.ts'
import { Loading } from '../kit/notice.tsx'
import { SignIn } from '../sign-in/page.tsx'
import { Offline, ReleaseBar } from './bars.tsx'
import { preloadPage, router } from './router.tsx'

const RETRY_MS = 2_000

/** Session request shared by all renders of the loading page. */
let resuming: Promise<Resumed> | undefined

export function Gate() {
  const { session } = useSession()
  const { resumed, error, lostAt, retry } = useResumed()
  useEffect(preloadPage, [])
  if (session) {
    return (
      <Framed>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Framed>
    )
  }
  if (resumed) {
    return (
      <Framed>
        <SignIn isLinkRefused={resumed === 'link-refused'} />
      </Framed>
    )
  }
  if (error === undefined) return <Loading />
  if (error instanceof ConnectionError) return <Offline since={lostAt} onRetry={retry} />
  // A session may be refused, such as one from another address. Another key can sign in.
  return (
    <Framed>
      <SignIn isLinkRefused={false} error={error} />
    </Framed>
  )
}

function Framed({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex h-full flex-col">
      <div className="min-h-0 flex-1">{children}</div>
      <ReleaseBar />
    </div>
  )
}

/** Requests the session repeatedly until the server responds. */
function useResumed() {
  const [resumed, setResumed] = useState<Resumed>()
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly lostAt: number }>()
  const [tries, setTries] = useState(0)
  const retry = (): void => setTries((count) => count + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    resuming ??= resumeSession()
    resuming.then(setResumed, (error: unknown) => {
      resuming = undefined
      setFailure((previous) => ({ error, lostAt: previous?.lostAt ?? Date.now() }))
      timer = setTimeout(retry, RETRY_MS)
    })
    return () => clearTimeout(timer)
  }, [tries])
  return { resumed, error: failure?.error, lostAt: failure?.lostAt ?? 0, retry }
}
