/** Versions of a file that defines no agent, skill, or server: its writes, and the text of one. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ProblemError, refetchOffline, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Ago, Plain } from '../text/text.tsx'
import type { Content } from './content.ts'
import type { Address } from './use-address.ts'
import { FILES, reloadFiles } from './use-files.ts'

const PAGE = 20

interface ListProps {
  readonly path: string
  readonly address: Address
}

export function FileVersions({ path, address }: ListProps) {
  const words = useWords()
  const mayRead = useMay('config:raw')
  const pages = usePages<Schemas['FileVersion']>(
    [FILES, 'file versions', path],
    (cursor) => api.files.versions({ path, limit: PAGE, ...(cursor && { cursor }) }),
    undefined,
    mayRead,
  )
  if (!mayRead) return <Forbidden scope="config:raw" />
  if (pages.isPending && !pages.error) return <Loading />
  return (
    <div>
      {pages.isSuccess && pages.items.length === 0 && (
        <p className="p-3 text-sm text-text-2">{words('layers.versions.raw')}</p>
      )}
      <ol aria-label={words('layers.tab.versions')}>
        {pages.items.map(({ version, action, by, created_at }) => (
          <li
            key={version}
            className={`border-b border-line ${version === address.search.v ? 'bg-selected' : 'hover:bg-subtle'}`}
          >
            <button
              type="button"
              aria-current={version === address.search.v}
              onClick={() => address.change({ pane: 'versions', v: version })}
              className="grid w-full gap-0.5 px-3 py-2 text-left text-sm outline-offset-[-2px]"
            >
              <span className="flex justify-between gap-2">
                <span className="font-medium">{words(`layers.action.${action}`)}</span>
                <span className="text-xs text-text-2">
                  <Ago at={created_at} />
                </span>
              </span>
              <span className="text-xs text-text-2 [overflow-wrap:anywhere]">
                <Plain text={by} />
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

interface ViewProps {
  readonly path: string
  readonly id: string
  /** Stored file; null if there is none. */
  readonly content: Content | null
  readonly onClose: () => void
}

/** Compares a version of the file with its stored text, and restores it. */
export function FileVersionView({ path, id, content, onClose }: ViewProps) {
  const words = useWords()
  const may = useMay('config:raw')
  const { data, error, refetch } = useQuery({
    queryKey: [FILES, 'file version', path, id],
    refetchInterval: refetchOffline,
    queryFn: () => api.files.version(id, { path }),
  })
  const restore = useMutation({
    mutationFn: (text: string) =>
      api.files.put(path, text, content ? { ifMatch: content.etag } : { ifNoneMatch: '*' }),
    onSuccess: async () => {
      onClose()
      await reloadFiles()
    },
  })
  const isGone = error instanceof ProblemError && error.status === 410
  const text = data?.text
  const isSame = text === content?.text
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="w-full min-w-0 text-sm font-semibold sm:w-auto sm:flex-1">
          {words('layers.version.compared')}
        </h3>
        {may && typeof text === 'string' && !isSame && (
          <Button look="primary" busy={restore.isPending} onClick={() => restore.mutate(text)}>
            {words('layers.version.restore')}
          </Button>
        )}
        <Button icon="close" look="quiet" onClick={onClose}>
          {words('close')}
        </Button>
      </div>
      <p className="text-xs text-text-2">{words('layers.version.sides')}</p>
      <Problem error={restore.error} />
      {isGone ? (
        <p className="text-sm text-text-2">{words('layers.version.gone')}</p>
      ) : (
        <PollProblem error={error} hasData={data !== undefined} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Loading />}
      {text === null && <p className="text-sm text-text-2">{words('layers.version.binary')}</p>}
      {typeof text === 'string' &&
        (isSame ? (
          <p className="text-sm text-text-2">{words('layers.version.same')}</p>
        ) : (
          <TextDiff left={text} right={content?.text ?? ''} label={path} />
        ))}
    </div>
  )
}
