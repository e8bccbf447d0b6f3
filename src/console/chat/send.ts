/**
 * Sending: to the run that works, as the next turn of a session, or as the first of a new one.
 * What was typed goes only when the server has taken it.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ProblemError } from '../app/api.ts'
import { attached, type Choice, contentOf, draftOf, filesOf, setDraft, setFiles } from './draft.ts'
import { wholeIn } from './history.ts'
import { partsOf } from './said.ts'
import type { Body } from './shape.ts'

interface To {
  /** The draft's name: the session, or `new`. */
  readonly draft: string
  readonly session: string | undefined
  /** The run that works. */
  readonly current: string | undefined
  readonly choice: Choice
}

type Content = ReturnType<typeof contentOf>

export function useSend({ draft, session, current, choice }: To, onSession: (id: string) => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { text, sendKey } = draftOf(draft)
      const content = contentOf(text, filesOf(draft))
      const call = { idempotencyKey: sendKey }
      if (current && (await steered(current, content, call))) return session
      return (await started(content, session, choice, call)).session_id
    },
    onSuccess: async (id) => {
      if (id) await cache.invalidateQueries({ queryKey: ['session-runs', id] })
      void cache.invalidateQueries({ queryKey: ['sessions'] })
      setFiles(draft, [])
      setDraft(draft, '')
      if (id && id !== session) onSession(id)
    },
  })
}

const started = (
  input: Content,
  session: string | undefined,
  choice: Choice,
  call: { readonly idempotencyKey: string },
) => {
  const into = session === undefined ? {} : { session_id: session }
  return api.runs.create({ input, ...into, ...choice }, call)
}

/** False: it has ended meanwhile, and what is said begins the next turn. */
async function steered(
  run: string,
  content: Content,
  call: { readonly idempotencyKey: string },
): Promise<boolean> {
  try {
    await api.runs.send(run, { content }, call)
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return false
    throw error
  }
}

/** The same input once more, with its files, as the next turn. */
export function useRetry(session: string, choice: Choice) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ run, said }: { readonly run: string; readonly said: Body }) =>
      api.runs.create({ input: await againOf(run, said), session_id: session, ...choice }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['session-runs', session] }),
  })
}

async function againOf(run: string, said: Body): Promise<Content> {
  const isWhole = typeof said === 'string'
  const text = isWhole
    ? said
    : (wholeIn((await api.runs.transcript(run)).data, said) ?? said.preview)
  const media = isWhole ? [] : (said.media ?? [])
  const pictures = media.map(async ({ digest, media_type, name = digest }) => {
    const bytes = (await api.runs.media(run, digest)) as Uint8Array<ArrayBuffer>
    return attached(new File([bytes], name, { type: media_type }))
  })
  const parts = partsOf(text)
  const files = parts.flatMap((part) =>
    part.kind === 'file'
      ? [attached(new File([part.text], part.name, { type: 'text/plain' }))]
      : [],
  )
  const plain = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
  return contentOf(plain, await Promise.all([...pictures, ...files]))
}
