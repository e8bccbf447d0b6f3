/** Console entry point. */

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchRelease } from './data/release.ts'
import { chooseLanguage } from './i18n/words.ts'
import { Gate } from './shell/gate.tsx'
import { applyTheme } from './shell/theme.ts'
import './style/console.css'

applyTheme()
if (import.meta.env.PROD) watchRelease()
await chooseLanguage()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Gate />
  </StrictMode>,
)
