/** The entry of the console. */

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/console.css'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <main className="grid h-full place-items-center">
      <p>
        Strata · <a href="/docs">API reference</a>
      </p>
    </main>
  </StrictMode>,
)
