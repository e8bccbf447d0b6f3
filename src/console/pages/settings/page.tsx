/** Belongings of the tenant as a whole: keys, secrets, the policy, the audit, limits. */

import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazily } from '../../app/loaded.ts'
import { useWords } from '../../app/words.ts'
import { Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const TABS = [
  { name: 'keys', word: 'settings.keys', Tab: lazily(() => import('./keys.tsx')) },
  { name: 'secrets', word: 'settings.secrets', Tab: lazily(() => import('./secrets.tsx')) },
  { name: 'policy', word: 'settings.policy', Tab: lazily(() => import('./policy.tsx')) },
  { name: 'audit', word: 'settings.audit', Tab: lazily(() => import('./audit.tsx')) },
  { name: 'limits', word: 'settings.limits', Tab: lazily(() => import('./limits.tsx')) },
  { name: 'quotas', word: 'settings.quotas', Tab: lazily(() => import('./quotas.tsx')) },
  { name: 'browser', word: 'settings.browser', Tab: lazily(() => import('./browser.tsx')) },
] as const

export default function Settings() {
  const words = useWords()
  const { tab = 'keys' } = useParams({ strict: false })
  const { name, Tab } = TABS.find((one) => one.name === tab) ?? TABS[0]
  return (
    <Page title={words('nav.settings')}>
      <Tabs base="/settings" tabs={TABS} chosen={name} label={words('nav.settings')} />
      <Suspense fallback={<Loading />}>
        <Tab />
      </Suspense>
    </Page>
  )
}
