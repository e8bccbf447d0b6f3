/** Signing in: by the link that the server printed, by the session that is there, or by a key. */

import { createClient, ProblemError } from '../../client/index.ts'
import { dropFiles } from '../chat/draft.ts'
import { followAllAgain, forgetAll } from '../chat/live.ts'
import { api, queries } from './api.ts'
import { forgetForms } from './form-drafts.ts'
import { forgetSession, noteSignedIn, type Session } from './session.ts'

const LINK = /^#link=(.+)$/

/** True: somebody is signed in. Throws when nothing answers. */
export async function resumeSession(): Promise<boolean> {
  const [, link] = LINK.exec(location.hash) ?? []
  if (link) {
    // A link works once; it is to stand in no history.
    history.replaceState(null, '', location.pathname)
    const opened = await opening({ link })
    if (opened) return true
  }
  try {
    noteSignedIn(await api.browserSessions.current())
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500) return false
    throw error
  }
}

async function opening(body: { readonly link: string }): Promise<boolean> {
  try {
    noteSignedIn(await api.browserSessions.create(body))
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500) return false
    throw error
  }
}

/** The key goes into one request and nowhere else. */
export async function signInWith(key: string): Promise<Session> {
  const keyed = createClient({ url: location.origin, apiKey: key, retries: 0 })
  const session = await keyed.browserSessions.create({})
  noteSignedIn(session)
  // What another key could not read is asked for again.
  void queries.invalidateQueries()
  followAllAgain()
  return session
}

export async function signOut(): Promise<void> {
  await api.browserSessions.signOut().catch(() => {})
  queries.clear()
  forgetAll()
  await dropFiles()
  forgetForms()
  forgetSession()
}
