/**
 * Commands of the palette: opening conversations by title, and changing settings of this browser.
 */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../data/api.ts'
import { titleOf } from '../data/session-title.ts'
import { signOut } from '../data/sign-in.ts'
import { chooseLanguage, LANGUAGES, type Language, useWords } from '../i18n/words.ts'
import type { IconName } from '../kit/icons.tsx'
import { useAllowedPages } from './pages.ts'
import { applyTheme, THEMES } from './theme.ts'

export interface Command {
  readonly key: string
  readonly name: string
  readonly icon: IconName
  readonly run: () => void
}

/**
 * Returns the commands whose names contain the search text. Names that start with the text come
 * first.
 */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const query = text.trim().toLowerCase()
  const placeIn = ({ name }: Command): number => name.toLowerCase().indexOf(query)
  return commands
    .filter((command) => placeIn(command) >= 0)
    .toSorted((a, b) => Math.min(1, placeIn(a)) - Math.min(1, placeIn(b)))
}

export function useCommands(): readonly Command[] {
  const words = useWords()
  const navigate = useNavigate()
  const places = useAllowedPages()
    .filter(({ to }) => to !== '/')
    .map(({ to, word, icon }) => ({
      ...{ key: to, name: words(word), icon },
      run: () => void navigate({ to }),
    }))
  const themes = THEMES.map((theme) => ({
    key: `theme.${theme}`,
    name: `${words('theme.label')}: ${words(`theme.${theme}`)}`,
    icon: 'menu' as const,
    run: () => applyTheme(theme),
  }))
  const languages = Object.entries(LANGUAGES).map(([code, name]) => ({
    key: `language.${code}`,
    name: `${words('language.label')}: ${name}`,
    icon: 'book' as const,
    run: () => void chooseLanguage(code as Language),
  }))
  return [
    {
      key: 'new',
      name: words('sessions.new'),
      icon: 'plus',
      run: () => void navigate({ to: '/' }),
    },
    ...places,
    ...themes,
    ...languages,
    { key: 'signout', name: words('signout'), icon: 'key', run: () => void signOut() },
  ]
}

const LIMIT = 8

/**
 * Returns commands that open conversations by title; `text` is the search query sent to the server.
 */
export function useJumps(text: string) {
  const navigate = useNavigate()
  const { data, isLoading, error } = useQuery({
    queryKey: ['sessions', 'palette', text],
    queryFn: async () =>
      (await api.sessions.list({ kind: 'main', limit: LIMIT, ...(text && { q: text }) })).data,
  })
  const commands = (data ?? []).map(
    (session): Command => ({
      key: session.id,
      name: titleOf(session),
      icon: 'search',
      run: () => void navigate({ to: '/chat/$session', params: { session: session.id } }),
    }),
  )
  return { commands, isLoading, error }
}
