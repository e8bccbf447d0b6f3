/** The selected audit entry: its sentence with links, its facts, and the changed files. */

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Fact } from '../approvals/why.tsx'
import { loaded } from '../data/lazy-part.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Loading } from '../kit/notice.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Plain } from '../text/text.tsx'
import { Chain, Members, Origin } from './origin.tsx'
import { Sentence, useActionWord } from './sentence.tsx'
import {
  authorTargetOf,
  type Entry,
  isVersioned,
  type Position,
  type Target,
  targetOf,
} from './state.ts'

const Changes = lazy(() => loaded(() => import('./changes.tsx')))

interface Props {
  readonly entry: Entry
  readonly names: ReadonlyMap<string, string>
  /** Position in the hash chain; undefined while it is being read. */
  readonly position: Position | undefined
}

export function EntryDetail({ entry, names, position }: Props) {
  const words = useWords()
  const { kind, name, by, action, layer, created_at, detail, number, version, files } = entry
  const target = targetOf(entry)
  const author = authorTargetOf(by, useMay('keys:read'))
  const actionWord = useActionWord()
  return (
    <article aria-label={words('audit.entry')} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="font-semibold [overflow-wrap:anywhere]">
        <Sentence
          entry={entry}
          names={names}
          author={(text) => <Resource target={author} text={text} />}
          resource={(text) => <Resource target={target} text={text} />}
        />
      </h2>
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name={words('audit.time')}>
          {exactTime(created_at)} (<Ago at={created_at} />)
        </Fact>
        {detail !== undefined && (
          <Fact name={words('audit.detail')}>
            <Plain text={detail} />
          </Fact>
        )}
        <Fact name={words('audit.filter.by')}>
          <Exact text={by} filter={{ by }} />
        </Fact>
        <Origin entry={entry} />
        {name !== '' && (
          <Fact name={words('audit.name')}>
            <Exact text={name} filter={{ kind, name }} />
          </Fact>
        )}
        <Fact name={words('audit.filter.action')}>{actionWord(action)}</Fact>
        {layer !== '' && <Fact name={words('audit.layer')}>{layer}</Fact>}
        {number > 0 && <Fact name={words('audit.number')}>{number}</Fact>}
        {files.length > 0 && (
          <Fact name={words('audit.files')}>
            <ul className="grid gap-1 font-mono text-xs">
              {files.map(({ path }) => (
                <li key={path} className="[overflow-wrap:anywhere]">
                  <Plain text={path} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Chain version={version} position={position} />
      </dl>
      {!isVersioned(kind) && <Members entry={entry} />}
      {isVersioned(kind) && <Versions entry={entry} />}
    </article>
  )
}

function Versions({ entry }: { readonly entry: Entry }) {
  const mayRead = useMay('layers:read')
  if (!mayRead) return <Forbidden scope="layers:read" />
  return (
    <Suspense fallback={<Loading />}>
      <Changes entry={entry} />
    </Suspense>
  )
}

interface ResourceProps {
  readonly target: Target | undefined
  readonly text: string
}

function Resource({ target, text }: ResourceProps) {
  if (!target) return <Plain text={text} />
  return (
    <Link {...(target as { readonly to: '/' })} className="text-accent underline">
      <Plain text={text} />
    </Link>
  )
}

interface ExactProps {
  readonly text: string
  readonly filter: Readonly<Record<string, string>>
}

/** Text of a member, with a link to all entries that have it. */
function Exact({ text, filter }: ExactProps) {
  const words = useWords()
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
        <Plain text={text} />
      </span>
      <Link to="/audit" search={filter} className="text-xs text-accent hover:underline">
        {words('audit.same')}
      </Link>
    </span>
  )
}
