/** Going on from a message in a new conversation; this one stays as it is. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { StrataError } from '../../../client/index.ts'
import { api, type Schemas } from '../../app/api.ts'
import { say } from '../../app/words.ts'
import { setDraft } from '../../chat/draft.ts'
import { positionOf, saidLater, wholeIn } from '../../chat/history.ts'
import type { Item } from '../../chat/shape.ts'

type Fork = { readonly item: Item; readonly all: readonly Item[] }

/** `all`: everything that has been said in turns that are over. */
export function useFork(session: string) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ item, all }: Fork) => {
      if (item.kind === 'call' || item.kind === 'note') return
      const messages: Schemas['TranscriptMessage'][] = []
      for await (const one of api.sessions.messages(session, { order: 'asc' })) messages.push(one)
      const place = positionOf(messages, item, saidLater(all, item))
      if (!place) throw new StrataError(say('chat.fork.missing'))
      // A message of a person is written anew; an answer is kept, and one goes on behind it.
      const again = item.kind === 'said' ? (wholeIn(messages, item.text) ?? '') : ''
      const position = item.kind === 'said' ? place.before : place.at
      if (position === undefined) {
        setDraft('new', again)
        return navigate({ to: '/' })
      }
      const fork = await api.sessions.fork(session, { position })
      if (again !== '') setDraft(fork.id, again)
      void cache.invalidateQueries({ queryKey: ['sessions', 'list'] })
      return navigate({ to: '/chat/$session', params: { session: fork.id } })
    },
  })
}
