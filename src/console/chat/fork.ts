/**
 * Forks a conversation: continues from a message or a turn in a new conversation, and leaves the
 * original unchanged.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, type Schemas, StrataError } from '../data/api.ts'
import { NEW, setDraft, setFiles } from '../data/draft.ts'
import { say } from '../i18n/words.ts'
import { laterRepeats, positionOf, wholeText } from '../log/history.ts'
import type { Item } from '../log/shape.ts'
import { messageOf } from './send.ts'

type Message = Extract<Item, { kind: 'input' | 'text' | 'reasoning' }>

interface AtMessage {
  readonly item: Message
  /** Run whose log contains the message; absent for a message copied from another conversation. */
  readonly run: string | undefined
  /** ID of the previous turn, if the message is the first of its turn. */
  readonly before: string | undefined
  /** Items of all turns that have ended. */
  readonly all: readonly Item[]
}

/** Point at which a fork ends: as the API expects it, or at a message. */
type Fork = Schemas['SessionFork'] | AtMessage

export function useFork(session: string) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (place: Fork) => {
      const { end, text = '', files = [] } = await endOf(session, place)
      const fork = end && (await api.sessions.fork(session, end))
      const draft = fork?.id ?? NEW
      if (text !== '') setDraft(draft, text)
      if (files.length > 0) setFiles(draft, files)
      if (!fork) return navigate({ to: '/' })
      void cache.invalidateQueries({ queryKey: ['sessions', 'list'] })
      return navigate({ to: '/chat/$session', params: { session: fork.id } })
    },
  })
}

interface End {
  /** Last turn to copy; undefined to fork before the first message, which copies no turn. */
  readonly end: Schemas['SessionFork'] | undefined
  /** Text of the draft in the new conversation. */
  readonly text?: string
  readonly files?: Awaited<ReturnType<typeof messageOf>>['files']
}

/**
 * Returns where the fork ends: before a user message, which will be edited, or after an answer,
 * which is kept.
 */
async function endOf(session: string, place: Fork): Promise<End> {
  if (!('item' in place)) return { end: place }
  const { item, run, before: previousRun } = place
  const isInput = item.kind === 'input'
  if (run !== undefined && !isInput) return { end: { run_id: run, step: item.step } }
  const message = run === undefined ? {} : await messageOf({ run, text: item.text })
  if (previousRun !== undefined) return { end: { run_id: previousRun }, ...message }
  const { end, text } = await positionIn(session, place)
  return isInput ? { end, text, ...message } : { end }
}

async function positionIn(session: string, { item, all }: AtMessage) {
  const messages: Schemas['TranscriptMessage'][] = []
  for await (const message of api.sessions.messages(session, { order: 'asc' }))
    messages.push(message)
  const place = positionOf(messages, item, laterRepeats(all, item))
  if (!place) throw new StrataError(say('chat.fork.missing'))
  const position = item.kind === 'input' ? place.before : place.at
  const end = position === undefined ? undefined : { position }
  return { end, text: wholeText(messages, item.text) ?? '' }
}
