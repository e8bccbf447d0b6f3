/** Settings of this browser: theme, language, notifications, and shortcuts of single keys. */

import type { ReactNode } from 'react'
import { Fact } from '../approvals/why.tsx'
import { useMay, useSession } from '../data/session.ts'
import { chooseLanguage, LANGUAGES, type Language, useLanguage, useWords } from '../i18n/words.ts'
import { Checkbox, Select } from '../kit/field.tsx'
import { allowSingleKeys, useSingleKeys } from '../kit/shortcuts.ts'
import { toggleNotifications, useNotifying } from '../shell/notifications.ts'
import { applyTheme, THEMES, type Theme, useTheme } from '../shell/theme.ts'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'

export function Browser() {
  const words = useWords()
  const theme = useTheme()
  const language = useLanguage()
  const hasSingleKeys = useSingleKeys()
  return (
    <div className="grid max-w-xl gap-6">
      <Part title={words('settings.look')}>
        <Select
          label={words('theme.label')}
          value={theme}
          options={THEMES.map((option) => [option, words(`theme.${option}`)])}
          onChange={({ target }) => applyTheme(target.value as Theme)}
        />
        <Select
          label={words('language.label')}
          value={language}
          options={Object.entries(LANGUAGES)}
          onChange={({ target }) => void chooseLanguage(target.value as Language)}
        />
      </Part>
      <Part title={words('settings.keyboard')}>
        <Checkbox
          label={words('settings.keys.single')}
          checked={hasSingleKeys}
          onChange={({ target }) => allowSingleKeys(target.checked)}
        />
        <p className="text-xs text-text-2">{words('settings.keys.hint')}</p>
      </Part>
      <Notifications />
      <CurrentSession />
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

function Part({ title, children }: PartProps) {
  return (
    <section aria-label={title} className="grid gap-3">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Notifications() {
  const words = useWords()
  const mayRead = useMay('approvals:read')
  const state = useNotifying()
  if (!mayRead) return null
  const isPossible = state === 'on' || state === 'off'
  return (
    <Part title={words('settings.notifications')}>
      {isPossible ? (
        <Checkbox
          label={words('notify.label')}
          checked={state === 'on'}
          onChange={() => void toggleNotifications()}
        />
      ) : (
        <p className="text-sm text-text-2">{words(`notify.${state}`)}</p>
      )}
    </Part>
  )
}

function CurrentSession() {
  const words = useWords()
  const { session } = useSession()
  if (!session) return null
  const { key_name, key_id, scopes, expires_at } = session
  return (
    <Part title={words('settings.session.this')}>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name={words('settings.session')}>
          <Plain text={key_name ?? key_id} />
        </Fact>
        <Fact name={words('settings.session.scopes')}>
          <span className="font-mono text-xs">{scopes.join(', ')}</span>
        </Fact>
        <Fact name={words('settings.session.until')}>
          {exactTime(expires_at)} (<Ago at={expires_at} />)
        </Fact>
      </dl>
    </Part>
  )
}
