/** Tabs beside the editor: findings of the typed text, versions, and where the file is used. */

import { Link } from '@tanstack/react-router'
import { ConnectionError } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Problem } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { Plain } from '../text/text.tsx'
import type { Finding } from './findings.ts'
import type { Defined } from './resources.ts'
import { choiceFor, layersSearch, TABS, type Tab } from './state.ts'
import type { Address } from './use-address.ts'
import type { Check } from './use-check.ts'
import { Versions } from './versions.tsx'

interface TabsProps {
  readonly address: Address
  readonly check: Check
  /** Whether the editor is a tab too, on pages without space for both. */
  readonly hasEditor: boolean
}

export function PanelTabs({ address, check, hasEditor }: TabsProps) {
  const words = useWords()
  const { search } = address
  const pane = search.pane === 'migrate' ? undefined : search.pane
  const open: Tab | undefined = pane ?? (hasEditor ? undefined : 'findings')
  const tabs = hasEditor ? ([undefined, ...TABS] as const) : TABS
  const count = check.findings?.length
  return (
    <nav
      aria-label={words(hasEditor ? 'layers.views' : 'layers.tabs')}
      className={`gap-1 overflow-x-auto border-b border-line px-2 ${hasEditor ? 'flex xl:hidden' : 'hidden xl:flex'}`}
    >
      {tabs.map((tab) => (
        <Link
          key={tab ?? 'editor'}
          to="/layers"
          search={layersSearch({ ...search, pane: tab, v: undefined })}
          aria-current={tab === open ? 'page' : undefined}
          className={`inline-flex min-h-9 items-center border-b-2 px-2 text-sm whitespace-nowrap outline-offset-[-2px] pointer-coarse:min-h-11 ${
            tab === open
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(tab === undefined ? 'layers.tab.editor' : `layers.tab.${tab}`)}
          {tab === 'findings' && count !== undefined && (
            <span className="pl-1 text-text-3">{count}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}

interface Props {
  readonly path: string
  readonly layer: string
  readonly address: Address
  readonly check: Check
  readonly resources: readonly Defined[]
  /** Whether the panel covers the editor on narrow pages. */
  readonly isCovering: boolean
  /** Whether the comparison of a conflict needs the space. */
  readonly isHidden: boolean
  readonly onLine: (line: number) => void
}

export function Panel({
  path,
  layer,
  address,
  check,
  resources,
  isCovering,
  isHidden,
  onLine,
}: Props) {
  const words = useWords()
  const { search, change } = address
  const pane = search.pane === undefined || search.pane === 'migrate' ? 'findings' : search.pane
  useKeys({
    Escape: search.v === undefined ? undefined : () => change({ v: undefined }),
  })
  return (
    <aside
      aria-label={words(`layers.tab.${pane}`)}
      className={`min-h-0 w-full flex-col xl:w-80 xl:flex-none xl:border-l xl:border-line ${isCovering ? 'flex flex-1' : 'hidden'} ${isHidden ? '' : 'xl:flex'}`}
    >
      <PanelTabs {...{ address, check, hasEditor: false }} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {pane === 'findings' && <Findings {...{ check, onLine }} />}
        {pane === 'versions' && <Versions {...{ path, layer, address, resources }} />}
        {pane === 'uses' && <Uses {...{ path, layer, resources }} />}
      </div>
    </aside>
  )
}

const COLORS = { error: 'text-failed', warning: 'text-late', note: 'text-text-2' } as const

interface FindingsProps {
  readonly check: Check
  readonly onLine: (line: number) => void
}

function Findings({ check: { findings, error, run }, onLine }: FindingsProps) {
  const words = useWords()
  if (!run) {
    return (
      <div className="grid gap-1 p-3 text-sm">
        <p>{words('layers.unchecked')}</p>
        <Forbidden scope="layers:read" />
      </div>
    )
  }
  if (error) {
    return (
      <div role="status" className="grid gap-2 p-3 text-sm">
        <p>{words('layers.unchecked')}</p>
        {error instanceof ConnectionError ? (
          <p className="text-late">{words('error.offline')}</p>
        ) : (
          <Problem error={error} />
        )}
      </div>
    )
  }
  if (!findings) return <p className="p-3 text-sm text-text-3">{words('layers.checking')}</p>
  if (findings.length === 0)
    return <p className="p-3 text-sm text-text-2">{words('layers.findings.none')}</p>
  return (
    <ul aria-label={words('layers.tab.findings')}>
      {findings.map((finding) => (
        <FindingRow
          key={`${finding.line} ${finding.code} ${finding.message}`}
          {...{ finding, onLine }}
        />
      ))}
    </ul>
  )
}

interface FindingProps {
  readonly finding: Finding
  readonly onLine: (line: number) => void
}

function FindingRow({ finding, onLine }: FindingProps) {
  const words = useWords()
  const { severity, line, code, message, hint } = finding
  return (
    <li className="border-b border-line">
      <button
        type="button"
        onClick={() => onLine(line ?? 1)}
        className="grid w-full gap-0.5 px-3 py-2 text-left text-sm outline-offset-[-2px] [overflow-wrap:anywhere] hover:bg-subtle"
      >
        <span>
          <span className={`font-medium ${COLORS[severity]}`}>
            {words(`effective.severity.${severity}`)}
          </span>{' '}
          <Plain text={message} />
        </span>
        {hint !== null && (
          <span className="text-xs text-text-2">
            {words('effective.hint')}{' '}
            <code className="font-mono">
              <Plain text={hint} />
            </code>
          </span>
        )}
        <span className="font-mono text-xs text-text-3">
          {[line !== null && words('layers.line', { line }), code].filter(Boolean).join(' · ')}
        </span>
      </button>
    </li>
  )
}

const KINDS = { agent: 'agents', skill: 'skills', server: 'servers' } as const

interface UsesProps {
  readonly path: string
  readonly layer: string
  readonly resources: readonly Defined[]
}

function Uses({ path, layer, resources }: UsesProps) {
  const words = useWords()
  const choice = choiceFor(layer)
  if (resources.length === 0) {
    return (
      <p className="p-3 text-sm text-text-2">
        <Plain text={words('layers.uses.none', { path })} />
      </p>
    )
  }
  return (
    <ul aria-label={words('layers.tab.uses')} className="grid gap-3 p-3 text-sm">
      {resources.map(({ kind, name, isOn }) => (
        <li key={`${kind} ${name}`} className="grid justify-items-start gap-1">
          <p className="font-medium [overflow-wrap:anywhere]">
            <Plain text={words(`layers.uses.${kind}`, { name })} />
            {!isOn && <span className="font-normal text-text-2"> · {words('layers.off')}</span>}
          </p>
          <Link
            to="/layers/effective"
            search={
              { ...choice, ...(kind === 'agent' ? {} : { kind: KINDS[kind] }), name } as never
            }
            className="text-accent hover:underline"
          >
            {words('layers.uses.effective')}
          </Link>
          {kind === 'agent' && (
            <Link to="/runs" search={{ agent: name }} className="text-accent hover:underline">
              {words('layers.uses.runs')}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
