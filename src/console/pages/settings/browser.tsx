/** This browser: its session, its theme, its language. */

import { useMay, useSignIn } from '../../app/session.ts'
import { signOut } from '../../app/sign-in.ts'
import { applyTheme, type Theme, useTheme } from '../../app/theme.ts'
import { chooseLanguage, type Language, useLanguage, useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'
import { Sessions } from './sessions.tsx'

export default function Browser() {
  const words = useWords()
  const { session } = useSignIn()
  const all = useMay('keys:read')
  const theme = useTheme()
  const language = useLanguage()
  const themes = (['system', 'light', 'dark'] as const).map(
    (one) => [one, words(`theme.${one}`)] as const,
  )
  return (
    <>
      <Card title={words('browser.session')}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <dt className="text-muted">{words('browser.tenant')}</dt>
          <dd className="font-mono">{session?.tenant}</dd>
          <dt className="text-muted">{words('browser.key')}</dt>
          <dd className="font-mono">{session?.key_id}</dd>
          <dt className="text-muted">{words('keys.scopes')}</dt>
          <dd className="font-mono text-xs [overflow-wrap:anywhere]">
            {session?.scopes.join(' ')}
          </dd>
          <dt className="text-muted">{words('browser.until')}</dt>
          <dd>
            <Ago at={session?.expires_at} />
          </dd>
        </dl>
        <div className="mt-4">
          <Button onClick={() => void signOut()}>{words('signout')}</Button>
        </div>
      </Card>
      {all && <Sessions />}
      <Card title={words('browser.look')}>
        <div className="grid max-w-xs gap-4">
          <Select
            label={words('theme.label')}
            value={theme}
            options={themes}
            onChange={({ target }) => applyTheme(target.value as Theme)}
          />
          <Select
            label={words('language.label')}
            value={language}
            options={[
              ['en', 'English'],
              ['zh', '中文'],
            ]}
            onChange={({ target }) => void chooseLanguage(target.value as Language)}
          />
        </div>
      </Card>
    </>
  )
}
