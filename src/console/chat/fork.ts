/** Continues from a message in a new conversation; this one stays as it is. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, type Schemas, StrataError } from '../data/api.ts'
import { NEW, setDraft } from '../data/draft.ts'
import { say } from '../i18n/words.ts'
import { laterRepeats, positionOf, wholeText } from '../log/history.ts'
import type { Item } from '../log/shape.ts'

interface Fork {
  readonly item: Item
  /** The run whose log has the item; absent: the item was copied from another conversation. */
  readonly run: string | undefined
  /** The items of the turns that have ended. */
  readonly all: readonly Item[]
}

export function useFork(session: string) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ item, run, all }: Fork) => {
      if (item.kind === 'call' || item.kind === 'note') return
      const open = async (fork: { readonly id: string }) => {
        void cache.invalidateQueries({ queryKey: ['sessions', 'list'] })
        await navigate({ to: '/chat/$session', params: { session: fork.id } })
      }
      if (run !== undefined && item.kind !== 'input') {
        return open(await api.sessions.fork(session, { run_id: run, step: item.step }))
      }
      const messages: Schemas['TranscriptMessage'][] = []
      for await (const one of api.sessions.messages(session, { order: 'asc' })) messages.push(one)
      const place = positionOf(messages, item, laterRepeats(all, item))
      if (!place) throw new StrataError(say('chat.fork.missing'))
      // A person's message is edited, so the fork ends before it; an answer stays in the fork.
      const isInput = item.kind === 'input'
      const text = isInput ? (wholeText(messages, item.text) ?? '') : ''
      const position = isInput ? place.before : place.at
      if (position === undefined) {
        setDraft(NEW, text)
        return navigate({ to: '/' })
      }
      const fork = await api.sessions.fork(session, { position })
      if (text !== '') setDraft(fork.id, text)
      return open(fork)
    },
  })
}
