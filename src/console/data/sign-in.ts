/** Signing in by a link, by the session that is there, or by a key; and signing out. */

import { createClient, ProblemError } from '../../client/index.ts'
import { api, queries } from './api.ts'
import { dropDrafts } from './draft.ts'
import { followAllAgain, forgetRuns } from './live.ts'
import { forgetSession, noteSignedIn } from './session.ts'

/** A sign-in link ends with `#t=` and its token, which is sent to the server in the body alone. */
const LINK = /^#t=(.+)$/

export type Resumed = 'signed-in' | 'signed-out' | 'link-refused'

/** Throws where no server answers. The link works once, so its token leaves the address at once. */
export async function resumeSession(): Promise<Resumed> {
  const [, token] = LINK.exec(location.hash) ?? []
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname)
    const created = await unlessRefused(client().browserSessions.create({ token }))
    if (created) return signedIn(created)
  }
  const current = await unlessRefused(api.browserSessions.get('current'))
  if (current) return signedIn(current)
  return token === undefined ? 'signed-out' : 'link-refused'
}

type Session = Awaited<ReturnType<typeof api.browserSessions.create>>

function signedIn(session: Session): Resumed {
  noteSignedIn(session)
  return 'signed-in'
}

/** A lost answer must not use a link up twice, so nothing is retried. */
const client = () => createClient({ url: location.origin, credentials: 'cookie', retries: 0 })

async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProblemError && (error.status === 401 || error.status === 404))
      return undefined
    throw error
  }
}

/** The key is sent in this request and stored nowhere. */
export async function signInWith(key: string): Promise<void> {
  noteSignedIn(await client().browserSessions.create({ key }))
  // The session before may have been refused what this one may read.
  void queries.invalidateQueries()
  followAllAgain()
}

export async function signOut(): Promise<void> {
  await api.browserSessions.delete('current').catch(() => {})
  queries.clear()
  forgetRuns()
  await dropDrafts()
  forgetSession()
}
