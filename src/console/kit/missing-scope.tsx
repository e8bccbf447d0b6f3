/** Page that the session may not open: the missing scope, and the command that creates a key. */

import { useWords } from '../i18n/words.ts'
import { Code } from '../text/text.tsx'
import { Forbidden } from './notice.tsx'

export function MissingScope({ scope }: { readonly scope: string }) {
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
