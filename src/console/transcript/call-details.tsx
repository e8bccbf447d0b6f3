/** Details of a tool call: arguments, result, and notes about missing information. */

import { LiveApproval } from '../cards/live-approval.tsx'
import { useWords } from '../i18n/words.ts'
import type { Call, RunView } from '../log/shape.ts'
import { Arguments } from '../text/arguments.tsx'
import { indented } from '../text/json.ts'
import { Code } from '../text/text.tsx'
import { Cut, MediaOf, useWhole } from './body.tsx'

export function CallDetails({ call, run }: { readonly call: Call; readonly run: RunView }) {
  const words = useWords()
  const args = useWhole(call.arguments, run.id)
  const result = useWhole(call.result ?? '', run.id)
  const { approval, status } = call
  return (
    <div className="grid gap-3 border-t border-line px-3 py-3">
      <Arguments text={args.text} label={words('approval.arguments')} />
      <Cut text={call.arguments} isMissing={args.isMissing} />
      {status === 'unknown' && <p className="text-sm text-unknown">{words('chat.unknown')}</p>}
      {approval && status !== 'asks' && <LiveApproval id={approval.id} hasKeys={false} />}
      {call.result !== undefined && (
        <section className="grid min-w-0 gap-1">
          <h3 className="text-xs text-text-3">{words('chat.result')}</h3>
          <Code text={indented(result.text)} label={words('chat.result')} />
          <MediaOf text={call.result} run={run.id} />
          <Cut text={call.result} isMissing={result.isMissing} />
        </section>
      )}
    </div>
  )
}
