/** Facts of an audit entry: where the change came from, and the position in the hash chain. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Fact } from '../approvals/why.tsx'
import { useWords } from '../i18n/words.ts'
import { CopyButton, Plain } from '../text/text.tsx'
import { CHANNELS, type Entry, type Position } from './state.ts'

/** Shows the origin of a change that a request made. */
export function Origin({ entry }: { readonly entry: Entry }) {
  const words = useWords()
  const { address, via, request_id, credential } = entry
  return (
    <>
      {via !== undefined && (
        <Fact name={words('audit.origin')}>
          {address !== undefined && <span className="font-mono text-xs">{address} · </span>}
          {CHANNELS.includes(via) ? words(`audit.via.${via}`) : via}
        </Fact>
      )}
      {credential !== undefined && credential.type !== 'key' && (
        <Fact name={words('audit.credential')}>
          {credential.type === 'identity'
            ? words('audit.identity', { issuer: credential.issuer ?? '' })
            : words(`audit.kind.${credential.type}`)}{' '}
          <span className="font-mono text-xs">{credential.subject ?? credential.id}</span>
        </Fact>
      )}
      {request_id !== undefined && (
        <Fact name={words('audit.request')}>
          <Copied text={request_id} />
        </Fact>
      )}
    </>
  )
}

interface ChainProps {
  readonly version: string
  /** Position in the hash chain; undefined while it is being read. */
  readonly position: Position | undefined
}

/** Shows the ID of an entry, which is its link, and its position in the hash chain. */
export function Chain({ version, position }: ChainProps) {
  const words = useWords()
  return (
    <>
      <Fact name={words('audit.id')}>
        <Copied text={version}>
          <Link to="/audit" search={{ sel: version }} className="text-accent underline">
            {version}
          </Link>
        </Copied>
      </Fact>
      {position !== undefined && (
        <Fact name={words('audit.sealed')}>
          {position.seq === null || position.hash === null ? (
            words('audit.unsealed')
          ) : (
            <>
              {words('audit.sealed.at', { n: position.seq })}
              <Copied text={position.hash} />
            </>
          )}
        </Fact>
      )}
    </>
  )
}

interface CopiedProps {
  readonly text: string
  readonly children?: ReactNode
}

function Copied({ text, children }: CopiedProps) {
  return (
    <span className="flex items-center gap-1 font-mono text-xs">
      <span className="min-w-0 [overflow-wrap:anywhere]">{children ?? text}</span>
      <CopyButton text={text} />
    </span>
  )
}

/** Shows the changed members of a small resource, and the digests of all others. */
export function Members({ entry }: { readonly entry: Entry }) {
  const words = useWords()
  const { changes, before: previous, after: next } = entry
  if (!changes && previous === undefined && next === undefined) return null
  return (
    <section aria-label={words('audit.changes')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-semibold">{words('audit.changes')}</h3>
      {changes && (
        <div className="overflow-x-auto">
          <table className="w-full text-left text-sm" aria-label={words('audit.changes')}>
            <thead className="text-xs text-text-2">
              <tr>
                {(['audit.member', 'audit.before', 'audit.after'] as const).map((name) => (
                  <th key={name} scope="col" className="py-1 pr-3 font-normal">
                    {words(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="font-mono text-xs">
              {changes.map((member) => (
                <tr key={member.field} className="border-t border-line align-top">
                  <th scope="row" className="max-w-40 py-1 pr-3 font-normal break-words">
                    <Plain text={member.field} />
                  </th>
                  <Value text={member.before} />
                  <Value text={member.after} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Digest name={words('audit.digest.before')} text={previous} />
        <Digest name={words('audit.digest.after')} text={next} />
      </dl>
    </section>
  )
}

function Value({ text }: { readonly text: string | null }) {
  return (
    <td className="py-1 pr-3 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {text === null ? <span className="text-text-2">–</span> : <Plain text={text} />}
    </td>
  )
}

interface DigestProps {
  readonly name: string
  /** SHA-256 of the resource; null if there was none, undefined if it is unknown. */
  readonly text: string | null | undefined
}

function Digest({ name, text }: DigestProps) {
  const words = useWords()
  if (text === undefined) return null
  return <Fact name={name}>{text === null ? words('audit.absent') : <Copied text={text} />}</Fact>
}
