/** Details of an entry of the configuration: origin, hidden files, findings, and members. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Code, CopyButton, Plain } from '../text/text.tsx'
import { type Entry, type Finding, locationOf, memberText } from './entries.ts'
import { EntryStatus, useReason } from './list.tsx'

interface Props {
  readonly entry: Entry
  readonly onClose: () => void
  /** Opens the entry that a missing part belongs to. */
  readonly onFollow: (target: NonNullable<Entry['of']>) => void
  readonly actions?: ReactNode
}

export function Detail({ entry, onClose, onFollow, actions }: Props) {
  const words = useWords()
  const { name, description, path, isBuiltin, hides, findings, members, of } = entry
  const reason = useReason()(entry)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <div className="md:hidden">
        <Button look="quiet" icon="left" onClick={onClose}>
          {words('effective.back')}
        </Button>
      </div>
      <header className="grid gap-1">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 text-lg font-semibold [overflow-wrap:anywhere]">
            <Plain text={name} />
          </h2>
          <span className="hidden md:inline">
            <IconButton icon="close" label={words('close')} onClick={onClose} />
          </span>
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-sm [overflow-wrap:anywhere]">
          <EntryStatus entry={entry} />
          {reason !== null && <Plain text={reason} />}
        </p>
        {of && (
          <p>
            <Button look="quiet" onClick={() => onFollow(of)}>
              {words('effective.follow', { name: of.name })}
            </Button>
          </p>
        )}
      </header>
      {actions}
      {description !== '' && (
        <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          <Plain text={description} />
        </p>
      )}
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[5.5rem_minmax(0,1fr)]">
        {(isBuiltin || path !== null) && (
          <Fact name={words('effective.column.from')}>
            {path === null ? words('effective.builtin') : <Path text={path} />}
          </Fact>
        )}
        {hides.length > 0 && (
          <Fact name={words('effective.column.hides')}>
            {hides.map((key) => (
              <Path key={key} text={key} />
            ))}
          </Fact>
        )}
      </dl>
      {findings.length > 0 && <Findings findings={findings} />}
      <Members members={members} />
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-xs leading-5 text-text-2">{name}</dt>
      <dd className="grid min-w-0 gap-1">{children}</dd>
    </>
  )
}

function Path({ text }: { readonly text: string }) {
  return (
    <span className="flex min-w-0 items-start gap-1">
      <Link
        to="/layers"
        search={{ file: text }}
        className="min-w-0 font-mono text-xs leading-5 text-accent [overflow-wrap:anywhere] hover:underline"
      >
        <Plain text={text} />
      </Link>
      <span className="-my-1 pointer-coarse:-my-3">
        <CopyButton text={text} />
      </span>
    </span>
  )
}

const COLORS = { error: 'text-failed', warning: 'text-late', note: 'text-text-2' } as const

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const words = useWords()
  return (
    <section aria-label={words('effective.findings')} className="grid gap-1">
      <h3 className="text-sm font-semibold">{words('effective.findings')}</h3>
      <ul className="grid divide-y divide-line rounded-lg border border-line">
        {findings.map(({ path, line, code, severity, message, hint }) => (
          <li
            key={`${path} ${line} ${code} ${message}`}
            className="grid gap-0.5 px-3 py-2 text-sm [overflow-wrap:anywhere]"
          >
            <p>
              <span className={`font-medium ${COLORS[severity]}`}>
                {words(`effective.severity.${severity}`)}
              </span>{' '}
              <Plain text={message} />
            </p>
            {hint !== null && (
              <p className="text-xs text-text-2">
                {words('effective.hint')}{' '}
                <code className="font-mono">
                  <Plain text={hint} />
                </code>
              </p>
            )}
            <p className="font-mono text-xs text-text-3">
              {path !== null && (
                <>
                  <Link
                    to="/layers"
                    search={{ file: path, ...(line === null ? {} : { line }) }}
                    className="text-accent hover:underline"
                  >
                    <Plain text={locationOf(path, line)} />
                  </Link>
                  {' · '}
                </>
              )}
              {code}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LONG_CHARACTERS = 80

function Members({ members }: { readonly members: Entry['members'] }) {
  const words = useWords()
  const texts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, text: memberText(value) }],
  )
  if (texts.length === 0) return null
  return (
    <section aria-label={words('effective.members')} className="grid gap-2">
      <h3 className="text-sm font-semibold">{words('effective.members')}</h3>
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
        {texts.map(({ name, text }) => {
          const isLong = text.includes('\n') || text.length > LONG_CHARACTERS
          return (
            <div key={name} className="contents">
              <dt
                className={`min-w-0 font-mono text-xs leading-5 text-text-2 [overflow-wrap:anywhere] ${isLong ? 'sm:col-span-2' : ''}`}
              >
                <Plain text={name} />
              </dt>
              <dd className={`min-w-0 ${isLong ? 'sm:col-span-2' : ''}`}>
                {isLong ? (
                  <Code text={text} label={name} />
                ) : (
                  <code className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">
                    <Plain text={text} />
                  </code>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
