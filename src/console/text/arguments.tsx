/** Shows the arguments of a tool call, one row per object member. */

import { objectIn } from './json.ts'
import { Code, Plain } from './text.tsx'

interface Props {
  /** JSON text of the arguments, from the log. */
  readonly text: string
  readonly label: string
}

/** Length in characters above which a value is shown in a box, as multi-line values are. */
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
