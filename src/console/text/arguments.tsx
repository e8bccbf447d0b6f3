/** Arguments of a tool call: one row for each member of the object. */

import { objectIn } from './json.ts'
import { Code, Plain } from './text.tsx'

interface Props {
  /** JSON, as the log has it. */
  readonly text: string
  readonly label: string
}

/** Longer or multi-line values are shown in a box. */
const LINE_CHARACTERS = 200

export function Arguments({ text, label }: Props) {
  const members = Object.entries(objectIn(text) ?? {})
  if (members.length === 0) return <Code text={text} label={label} />
  return (
    <dl
      aria-label={label}
      className="grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]"
    >
      {members.map(([name, value]) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
        const isLine = text.length <= LINE_CHARACTERS && !text.includes('\n')
        return (
          <div key={name} className="contents">
            <dt className="font-mono text-xs leading-5 text-text-3">
              <Plain text={name} />
            </dt>
            <dd className="min-w-0 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
              {isLine ? <Plain text={text} /> : <Code text={text} label={name} />}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
