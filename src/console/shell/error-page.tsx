/** Error page, shown when a page fails and for unknown URLs. */

import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Problem } from '../kit/notice.tsx'
import { useTitle } from '../kit/title.ts'

export function Failed({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-6">
      <Problem error={error} onRetry={reset} />
    </div>
  )
}

export function NotFound() {
  const words = useWords()
  useTitle(words('page.missing.title'))
  return (
    <div className="mx-auto grid max-w-lg gap-2 px-6 py-16">
      <h1 className="text-xl font-semibold">{words('page.missing.title')}</h1>
      <p className="text-text-2">{words('page.missing')}</p>
      <Link to="/" className="text-accent underline">
        {words('page.missing.home')}
      </Link>
    </div>
  )
}
