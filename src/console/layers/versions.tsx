/** Versions of an agent, a skill, or a server: their list, and one compared with the current text. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useMay, useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Ago, Plain } from '../text/text.tsx'
import type { Content } from './content.ts'
import { FileVersions, FileVersionView } from './file-versions.tsx'
import type { Defined } from './resources.ts'
import { versionIn } from './state.ts'
import type { Address } from './use-address.ts'
import { FILES, reloadFiles } from './use-files.ts'

const PAGE = 20
const VERSIONS = { agent: api.agents, skill: api.skills, server: api.mcpServers } as const

interface Props {
  /** Key of the file. */
  readonly path: string
  readonly layer: string
  readonly address: Address
  readonly resources: readonly Defined[]
}

export function Versions({ path, layer, address, resources }: Props) {
  const words = useWords()
  const selected = versionIn(address.search.v)
  const [server, setServer] = useState(selected.name)
  const resource = resources.find(({ name }) => name === server) ?? resources[0]
  if (!resource) return <FileVersions {...{ path, address }} />
  return (
    <div className="grid gap-2">
      {resources.length > 1 && (
        <div className="px-3 pt-2">
          <Select
            label={words('layers.versions.server')}
            value={resource.name}
            options={resources.map(({ name }) => [name, name] as const)}
            onChange={({ target }) => setServer(target.value)}
          />
        </div>
      )}
      <List key={resource.name} {...{ layer, address, resource }} />
    </div>
  )
}

const ACTIONS = ['found', 'put', 'delete', 'enable', 'disable', 'rollback'] as const
const isAction = (action: string): action is (typeof ACTIONS)[number] =>
  (ACTIONS as readonly string[]).includes(action)

interface ListProps {
  readonly layer: string
  readonly address: Address
  readonly resource: Defined
}

function List({ layer, address, resource: { kind, name } }: ListProps) {
  const words = useWords()
  const { session } = useSession()
  const pages = usePages<Schemas['Version']>([FILES, 'versions', kind, layer, name], (cursor) =>
    VERSIONS[kind].versions(name, { layer, limit: PAGE, cursor }),
  )
  const selected = versionIn(address.search.v)
  if (pages.isPending && !pages.error) return <Loading />
  return (
    <div>
      {pages.isSuccess && pages.items.length === 0 && (
        <p className="p-3 text-sm text-text-2">{words('layers.versions.none')}</p>
      )}
      <ol aria-label={words('layers.tab.versions')}>
        {pages.items.map(({ version, number, action, by, created_at }) => (
          <li
            key={version}
            className={`border-b border-line ${version === selected.id ? 'bg-selected' : 'hover:bg-subtle'}`}
          >
            <button
              type="button"
              aria-current={version === selected.id}
              onClick={() =>
                address.change({
                  pane: 'versions',
                  v: kind === 'server' ? `${name}/${version}` : version,
                })
              }
              className="grid w-full gap-0.5 px-3 py-2 text-left text-sm outline-offset-[-2px]"
            >
              <span className="flex justify-between gap-2">
                <span className="font-medium">{words('layers.version', { number })}</span>
                <span className="text-xs text-text-2">
                  <Ago at={created_at} />
                </span>
              </span>
              <span className="text-xs text-text-2 [overflow-wrap:anywhere]">
                {isAction(action) ? words(`layers.action.${action}`) : action} ·{' '}
                <Plain text={by === session?.key_id ? (session.key_name ?? by) : by} />
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div className="px-3">
        <More of={pages} />
      </div>
    </div>
  )
}

interface ViewProps extends Props {
  /** Stored file; null if there is none. */
  readonly content: Content | null
}

/** Compares the selected version with the current text, and restores it. */
export function VersionView({ path, layer, address, resources, content }: ViewProps) {
  const words = useWords()
  const { id, name } = versionIn(address.search.v)
  const resource = resources.find((entry) => name === '' || entry.name === name)
  const close = (): void => address.change({ v: undefined })
  return (
    <section
      aria-label={words('layers.version.compared')}
      className="min-h-0 flex-1 overflow-y-auto p-4"
    >
      {resource ? (
        <Comparison key={id} {...{ layer, resource, id }} onClose={close} />
      ) : (
        <FileVersionView key={id} {...{ path, id, content }} onClose={close} />
      )}
    </section>
  )
}

interface ComparisonProps {
  readonly layer: string
  readonly resource: Defined
  readonly id: string
  readonly onClose: () => void
}

function Comparison({ layer, resource: { kind, name, etag }, id, onClose }: ComparisonProps) {
  const words = useWords()
  const may = useMay('layers:write')
  const { data, error, refetch } = useQuery({
    queryKey: [FILES, 'compare', kind, layer, name, id],
    refetchInterval: refetchOffline,
    queryFn: () => VERSIONS[kind].compare(name, id, { layer }),
  })
  const rollback = useMutation({
    mutationFn: async (): Promise<unknown> => {
      const condition = etag === null ? {} : { ifMatch: `"${etag}"` }
      const options = { ...condition, query: { layer } }
      return VERSIONS[kind].rollback(name, { version: id }, options)
    },
    onSuccess: async () => {
      onClose()
      await reloadFiles()
    },
  })
  const files = data?.files.filter(({ change }) => change !== 'same')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="w-full min-w-0 text-sm font-semibold sm:w-auto sm:flex-1">
          {words('layers.version.compared')}
        </h3>
        {may && files && files.length > 0 && (
          <Button look="primary" busy={rollback.isPending} onClick={() => rollback.mutate()}>
            {words('layers.version.restore')}
          </Button>
        )}
        <Button icon="close" look="quiet" onClick={onClose}>
          {words('close')}
        </Button>
      </div>
      <p className="text-xs text-text-2">{words('layers.version.sides')}</p>
      <Problem error={rollback.error} />
      <PollProblem error={error} hasData={data !== undefined} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {files?.length === 0 && <p className="text-sm text-text-2">{words('layers.version.same')}</p>}
      {files?.map(({ path, text, other_text }) => (
        <div key={path} className="grid gap-1">
          <p className="font-mono text-xs [overflow-wrap:anywhere]">
            <Plain text={path} />
          </p>
          <TextDiff left={text ?? ''} right={other_text ?? ''} label={path} />
        </div>
      ))}
    </div>
  )
}
