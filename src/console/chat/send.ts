/**
 * Sends a message to a live run, as the next turn of a session, or as the first turn of a new
 * session. The draft is deleted after the server accepts the message.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ProblemError } from '../data/api.ts'
import { attachmentOf, contentOf, draftOf, filesOf, setDraft, setFiles } from '../data/draft.ts'
import { messageParts } from '../log/message-parts.ts'
import type { LogText } from '../log/shape.ts'
import type { Choice } from './choice.ts'

interface Target {
  readonly draft: string
  readonly session: string | undefined
  /** ID of the live run that receives the message. */
  readonly run: string | undefined
  readonly choice: Choice
}

type Content = ReturnType<typeof contentOf>
interface KeyedRequest {
  readonly idempotencyKey: string
}

export function useSend({ draft, session, run, choice }: Target, onSession?: (id: string) => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { text, sendKey } = draftOf(draft)
      const content = contentOf(text, filesOf(draft))
      const call = { idempotencyKey: sendKey }
      if (run && (await steered(run, content, call))) return session
      const into = session === undefined ? {} : { session_id: session }
      return (await api.runs.create({ input: content, ...into, ...choice }, call)).session_id
    },
    onSuccess: async (id) => {
      if (id) await cache.invalidateQueries({ queryKey: ['session-runs', id] })
      void cache.invalidateQueries({ queryKey: ['sessions'] })
      setFiles(draft, [])
      setDraft(draft, '')
      if (id && id !== session) onSession?.(id)
    },
    // A session archived in another tab rejects turns; refreshing the query shows that state.
    onError: () => cache.invalidateQueries({ queryKey: ['sessions'] }),
  })
}

/**
 * Sends a message to a live run. Returns false if the run has ended; the message then starts the
 * next turn.
 */
async function steered(run: string, content: Content, call: KeyedRequest): Promise<boolean> {
  try {
    await api.runs.send(run, { content }, call)
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return false
    throw error
  }
}

interface Sent {
  readonly run: string
  readonly text: LogText
}

/** Retries a run: sends its input, with its files, as the next turn. */
export function useRetry(session: string, choice: Choice) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (retried: Sent) => {
      const { text, files } = await messageOf(retried)
      return api.runs.create({ input: contentOf(text, files), session_id: session, ...choice })
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['session-runs', session] }),
  })
}

/** Returns the message of a run as originally written: the text and its files. */
export async function messageOf({ run, text: logged }: Sent) {
  if (typeof logged === 'string') return splitInput(logged)
  const input = await api.runs.text(run, logged.digest)
  const media = (logged.media ?? []).map(async ({ digest, media_type, name = digest }) => {
    const bytes = (await api.runs.media(run, digest)) as Uint8Array<ArrayBuffer>
    return attachmentOf(new File([bytes], name, { type: media_type }))
  })
  const { text, files } = await splitInput(input)
  return { text, files: [...(await Promise.all(media)), ...files] }
}

async function splitInput(input: string) {
  const parts = messageParts(input)
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
  const files = parts.flatMap((part) =>
    part.kind === 'file'
      ? [attachmentOf(new File([part.text], part.name, { type: 'text/plain' }))]
      : [],
  )
  return { text, files: await Promise.all(files) }
}
