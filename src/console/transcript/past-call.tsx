/** Tool call in messages that a fork copied; its run belongs to another session. */

import { useWords } from '../i18n/words.ts'
import { type Call, previewOf } from '../log/shape.ts'
import { Arguments } from '../text/arguments.tsx'
import { Code, Plain } from '../text/text.tsx'

export function PastCall({ call }: { readonly call: Call }) {
  const words = useWords()
  return (
    <details className="rounded-lg border border-line px-3 py-1.5 text-sm">
      <summary className="font-mono text-xs font-semibold">
        <Plain text={call.tool} />
      </summary>
      <div className="grid gap-2 pt-2">
        <Arguments text={previewOf(call.arguments)} label={words('approval.arguments')} />
        {call.result !== undefined && (
          <Code text={previewOf(call.result)} label={words('chat.result')} />
        )}
      </div>
    </details>
  )
}
