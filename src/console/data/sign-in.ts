/** Sign-in with a link, an existing session, or an API key, and sign-out. */

import { createClient, ProblemError } from '../../client/index.ts'
import { api, queries } from './api.ts'
import { dropDrafts } from './draft.ts'
import { followAllAgain, forgetRuns } from './live.ts'
import { forgetSession, noteSignedIn } from './session.ts'

/**
 * Matches the fragment of a sign-in link: `#t=` and a token. The token is sent only in the request
 * body.
 */
const LINK = /^#t=(.+)$/

export type Resumed = 'signed-in' | 'signed-out' | 'link-refused'

/**
 * Signs in with a link or the existing session. Throws if the server is unreachable. The link is
 * single-use; its token is removed from the URL immediately.
 */
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

/**
 * A sign-in link is single-use: after a lost response, a retry would fail, so requests are not
 * retried.
 */
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

/** Signs in with an API key, which is sent only in this request and never stored. */
export async function signInWith(key: string): Promise<void> {
  noteSignedIn(await client().browserSessions.create({ key }))
  // Requests rejected for the previous session may succeed with the new session.
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
