/** Search in memory: the field, and the passages that match with their matches marked. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { useSettled } from '../shell/settled-text.ts'
import { Plain } from '../text/text.tsx'
import { holdsLine, markedPieces, matchLine } from './state.ts'
import { MEMORY } from './use-file.ts'

const MOST_CHARACTERS = 1_000
const MOST_PASSAGES = 30

interface FindProps {
  readonly text: string
  /** Applies the text; typing continues one step of the history. */
  readonly onChange: (text: string, isTyping: boolean) => void
}

export function Find({ text, onChange }: FindProps) {
  const words = useWords()
  const [draft, setDraft] = useState(text)
  // Back changes the address.
  useEffect(() => setDraft((typed) => (typed.trim() === text ? typed : text)), [text])
  return (
    <input
      id="find-memory"
      type="search"
      aria-label={words('memory.search')}
      placeholder={words('memory.search')}
      maxLength={MOST_CHARACTERS}
      value={draft}
      onChange={({ target: { value } }) => {
        setDraft(value)
        onChange(value.trim(), text !== '')
      }}
      className={`${INPUT} min-w-0 flex-1 md:max-w-72`}
    />
  )
}

type SearchResult = Schemas['MemoryFound']

interface Props {
  readonly q: string
  /** Path of the open file. */
  readonly open: string | undefined
  /** Line at which the file is open. */
  readonly line: number | undefined
  readonly onOpen: (path: string, line: number) => void
}

export function Passages({ q, open, line, onOpen }: Props) {
  const words = useWords()
  const query = useSettled(q)
  const { data, error, refetch } = useQuery({
    queryKey: [...MEMORY, 'search', query],
    queryFn: ({ signal }) => api.memory.search({ query, limit: MOST_PASSAGES }, { signal }),
  })
  if (!data)
    return error ? (
      <div className="p-4">
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <Loading />
    )
  return (
    <>
      <Notes result={data} />
      <ul aria-label={words('memory.passages')}>
        {data.passages.map((passage) => (
          <PassageRow
            key={`${passage.path} ${passage.lines.from}`}
            passage={passage}
            isOpen={passage.path === open && holdsLine(passage, line)}
            onOpen={() => onOpen(passage.path, matchLine(passage))}
          />
        ))}
      </ul>
    </>
  )
}

function Notes({ result: { passages, stale, notes } }: { readonly result: SearchResult }) {
  const words = useWords()
  const lines = [
    ...(passages.length === 0 ? [words('memory.found.none')] : []),
    ...(stale ? [words('memory.found.stale')] : []),
    ...notes,
  ]
  if (lines.length === 0) return null
  return (
    <ul role="status" className="grid gap-1 px-4 py-2 text-sm text-text-2">
      {lines.map((line) => (
        <li key={line} className="[overflow-wrap:anywhere]">
          <Plain text={line} />
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  readonly passage: SearchResult['passages'][number]
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function PassageRow({ passage, isOpen, onOpen }: RowProps) {
  const words = useWords()
  const { path, heading, lines } = passage
  return (
    <li className={`border-b border-line ${isOpen ? 'bg-selected' : 'hover:bg-subtle'}`}>
      <button
        type="button"
        aria-current={isOpen}
        onClick={onOpen}
        className="grid w-full grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2 text-left -outline-offset-2"
      >
        <span className="flex gap-2 text-xs text-text-2">
          <span className="min-w-0 flex-1 truncate font-mono">
            <Plain text={path} />
          </span>
          {words(lines.from === lines.to ? 'memory.line' : 'memory.lines', lines)}
        </span>
        {heading !== '' && (
          <span className="truncate text-xs font-medium">
            <Plain text={heading} />
          </span>
        )}
        <span className="line-clamp-6 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {markedPieces(passage).map(({ text, isMatch }, at) =>
            isMatch ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a passage never change.
              <mark key={at} className="rounded-sm bg-asks-tint px-0.5 font-medium text-asks">
                <Plain text={text} />
              </mark>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a passage never change.
              <Plain key={at} text={text} />
            ),
          )}
        </span>
      </button>
    </li>
  )
}
