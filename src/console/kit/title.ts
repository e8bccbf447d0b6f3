/** The title of the browser's tab: the page, and whose it is. */

import { useEffect } from 'react'
import { say } from '../i18n/words.ts'

export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? say('app.name') : `${name} · ${say('app.name')}`
  }, [name])
}
