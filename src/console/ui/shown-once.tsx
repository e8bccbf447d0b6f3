/** A key or a secret that the server shows this once. */

import { Code, CopyButton } from './text.tsx'

interface Props {
  /** That it is shown once. */
  readonly sentence: string
  readonly label: string
  readonly text: string
}

export function ShownOnce({ sentence, label, text }: Props) {
  return (
    <div className="grid gap-3">
      <p className="text-sm">{sentence}</p>
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <Code value={text} label={label} />
        </div>
        <CopyButton text={text} />
      </div>
    </div>
  )
}
