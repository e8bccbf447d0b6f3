/** Where the page begins: the console behind its sign-in, or one decision that a link opens. */

import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { DECIDE } from './app/decision-link.ts'
import { Gate } from './app/gate.tsx'
import { lazily } from './app/loaded.ts'
import { applyTheme } from './app/theme.ts'
import { chooseLanguage } from './app/words.ts'
import './styles.css'

const Decide = lazily(() => import('./pages/decide/page.tsx'))

applyTheme()
await chooseLanguage()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {location.pathname === DECIDE ? (
      <Suspense>
        <Decide />
      </Suspense>
    ) : (
      <Gate />
    )}
  </StrictMode>,
)
