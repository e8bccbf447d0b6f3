/** Page, or part of a page, for which the session lacks a scope, with the command for a new key. */

import { useWords } from '../i18n/words.ts'
import { Code } from '../text/text.tsx'
import { Forbidden } from './notice.tsx'

export function NotAllowed({ scope }: { readonly scope: string }) {
  const words = useWords()
  return (
    <div className="grid gap-3 p-4">
      <Forbidden scope={scope} />
      <Code
        label={words('runs.forbidden.command')}
        text={`strata keys --create --name console --scope ${scope}`}
      />
    </div>
  )
}
