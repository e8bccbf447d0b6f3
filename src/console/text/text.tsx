/** Shows third-party text, always as a text node with invisible characters escaped. */

import { useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { exactTime, relativeTime } from './format.ts'
import { piecesOf } from './invisible.ts'

export function Plain({ text }: { readonly text: string }) {
  return piecesOf(text).map((piece, at) =>
    piece.isInvisible ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name.
      <span key={at} className="rounded bg-unknown-tint px-0.5 font-mono text-xs text-unknown">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  )
}

/** Shows a message of the console itself, with `commands` in code style. */
export function Inline({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="rounded bg-sunken px-1 font-mono text-xs">
        {part}
      </code>
    ),
  )
}

/** Number of lines of code shown at first; a click shows the rest. */
const SHOWN_LINES = 12
const SHOWN_CHARACTERS = 4_000

/** Shows code or other multi-line text in a monospaced font. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const isLong = lines.length > SHOWN_LINES || text.length > SHOWN_CHARACTERS
  const beginning = lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS)
  return (
    <div className="group relative min-w-0">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        dir="auto"
        className="max-h-[60dvh] overflow-auto rounded-md border border-line bg-subtle px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <Plain text={isLong && !isWhole ? beginning : text} />
      </pre>
      <span className="absolute top-1 right-1 rounded-md bg-subtle opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <CopyButton text={text} />
      </span>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 text-xs text-accent hover:underline"
        >
          {isWhole ? words('chat.less') : words('chat.lines', { n: lines.length })}
        </button>
      )}
    </div>
  )
}

const DONE_MS = 1_500

export function CopyButton({ text }: { readonly text: string }) {
  const words = useWords()
  const [isDone, setDone] = useState(false)
  return (
    <IconButton
      icon={isDone ? 'check' : 'copy'}
      label={words(isDone ? 'copied' : 'copy')}
      size={14}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setDone(true)
          setTimeout(() => setDone(false), DONE_MS)
        })
      }}
    />
  )
}

/** Shows a time relative to now, with the exact time as tooltip. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at)}
    </time>
  )
}
