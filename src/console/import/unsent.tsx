/** Files of a selection that are not sent, with reasons. */

import { useWords } from '../i18n/words.ts'
import { Plain } from '../text/text.tsx'
import type { UnsentFile } from './sources.ts'

/** Number of files shown at most; the sentence above them has the count of all. */
const MAX_ROWS = 200

export function UnsentFiles({ unsent }: { readonly unsent: readonly UnsentFile[] }) {
  const words = useWords()
  if (unsent.length === 0) return null
  return (
    <details className="rounded-md border border-line" open={unsent.length <= 5}>
      <summary className="cursor-pointer px-3 py-2 text-sm">
        {words('import.unsent', { n: unsent.length })}
      </summary>
      <ul className="max-h-64 overflow-y-auto border-t border-line px-3 py-2 text-xs">
        {unsent.slice(0, MAX_ROWS).map(({ path, reason }) => (
          <li key={path} className="flex flex-wrap gap-x-3 py-0.5">
            <code className="font-mono [overflow-wrap:anywhere]">
              <Plain text={path} />
            </code>
            <span className="text-text-2">{words(`import.unsent.${reason}`)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
