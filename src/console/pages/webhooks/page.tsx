/** Webhooks: endpoints, the deliveries to them, and hooks that start runs. */

import { useParams } from '@tanstack/react-router'
import { useWords } from '../../app/words.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { Hooks } from './hooks.tsx'

const TABS = [
  { name: 'endpoints', word: 'webhooks.endpoints', Tab: Endpoints },
  { name: 'deliveries', word: 'webhooks.deliveries', Tab: Deliveries },
  { name: 'hooks', word: 'webhooks.hooks', Tab: Hooks },
] as const

export default function Webhooks() {
  const words = useWords()
  const { tab = 'endpoints' } = useParams({ strict: false })
  const { name, Tab } = TABS.find((one) => one.name === tab) ?? TABS[0]
  return (
    <Page title={words('nav.webhooks')}>
      <Tabs base="/webhooks" tabs={TABS} chosen={name} label={words('nav.webhooks')} />
      <Tab />
    </Page>
  )
}
