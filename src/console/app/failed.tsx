/** Pages that failed, or that are not there. */

import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Empty, Problem } from '../ui/notice.tsx'
import { useTitle } from './title.ts'
import { useWords } from './words.ts'

export function Failed({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-6">
      <Problem error={error} onRetry={reset} />
    </div>
  )
}

const WAYS = [
  ['/', 'nav.chat'],
  ['/runs', 'nav.runs'],
] as const

export function Missing() {
  const words = useWords()
  useTitle(words('page.missing.title'))
  return (
    <Empty title={words('page.missing.title')}>
      <p>{words('page.missing')}</p>
      <p className="mt-3 flex justify-center gap-4">
        {WAYS.map(([to, name]) => (
          <Link key={to} to={to} className="text-accent underline">
            {words(name)}
          </Link>
        ))}
      </p>
    </Empty>
  )
}
