/** Versions of a memory file: each compared with the current file, and restored. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { Ago, Plain } from '../text/text.tsx'
import { LazyDiff } from './lazy-diff.tsx'
import { type FileText, trimmedEnd } from './state.ts'
import { MEMORY, reloadMemory } from './use-file.ts'

const PAGE = 20

interface Props {
  readonly path: string
  /** The current file; undefined if the server does not have it. */
  readonly file: FileText | undefined
  /** ID of the open version, or `all`. */
  readonly version: string | undefined
  readonly onVersion: (version: string) => void
}

export function Versions({ path, file, version, onVersion }: Props) {
  const words = useWords()
  const pages = usePages<Schemas['Version']>([...MEMORY, 'versions', path], (cursor) =>
    api.memory.versions({ path, limit: PAGE, cursor }),
  )
  const versions = pages.items
  return (
    <section aria-label={words('memory.versions')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-sm font-medium">{words('memory.versions')}</h3>
      <p className="text-xs text-text-2">{words('memory.versions.hint')}</p>
      {pages.isPending && !pages.error && <Loading />}
      {pages.isSuccess && versions.length === 0 && (
        <p className="text-sm text-text-2">{words('memory.versions.none')}</p>
      )}
      <ul>
        {versions.map((entry) => {
          const isOpen = entry.version === version
          return (
            <li key={entry.version} className="border-t border-line">
              <VersionHead
                entry={entry}
                isOpen={isOpen}
                onToggle={() => onVersion(isOpen ? 'all' : entry.version)}
              />
              {isOpen && <OpenVersion path={path} version={entry.version} file={file} />}
            </li>
          )
        })}
      </ul>
      <More of={pages} />
    </section>
  )
}

const ACTIONS = ['put', 'delete', 'found'] as const
type Action = (typeof ACTIONS)[number]

const isKnown = (action: string): action is Action => ACTIONS.some((name) => name === action)

interface HeadProps {
  readonly entry: Schemas['Version']
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function VersionHead({ entry, isOpen, onToggle }: HeadProps) {
  const words = useWords()
  const { number, by, action, created_at } = entry
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-8 w-full flex-wrap items-center gap-x-3 py-1 text-left text-sm hover:bg-subtle pointer-coarse:min-h-11"
    >
      <Icon name={isOpen ? 'down' : 'right'} size={14} />
      <span className="font-medium">{words('memory.versions.number', { n: number })}</span>
      <span className="text-xs text-text-2">
        {isKnown(action) ? words(`memory.versions.${action}`) : action}
      </span>
      <span className="min-w-0 flex-1 truncate text-xs text-text-2">
        <Plain text={words('memory.versions.by', { name: by })} />
      </span>
      <span className="text-xs text-text-2">
        <Ago at={created_at} />
      </span>
    </button>
  )
}

type OpenProps = Pick<Props, 'path' | 'file'> & { readonly version: string }

function OpenVersion({ path, version, file }: OpenProps) {
  const words = useWords()
  const mayWrite = useMay('memory:write')
  const { data, error } = useQuery({
    queryKey: [...MEMORY, 'versions', path, version],
    queryFn: () => api.memory.version(version, { path }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const restore = useMutation({
    mutationFn: (content: string) =>
      api.memory.put(
        path,
        { content },
        file ? { ifMatch: `"${file.etag}"` } : { ifNoneMatch: '*' },
      ),
    // After a 412, the current file is not the one that was compared.
    onSettled: reloadMemory,
  })
  if (!data) return error ? <Problem error={error} /> : <Loading />
  const content = data.contents[0]?.text
  const isText = typeof content === 'string' && content !== ''
  const isSame = isText && file !== undefined && trimmedEnd(content) === trimmedEnd(file.text)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pb-3">
      {!isText && <p className="text-sm text-text-2">{words('memory.versions.unread')}</p>}
      {isText && !isSame && (
        <>
          <p className="text-xs text-text-2">{words('memory.versions.hint.diff')}</p>
          <LazyDiff
            left={file?.text ?? ''}
            right={trimmedEnd(content)}
            label={words('memory.versions.diff')}
          />
        </>
      )}
      {isSame && (
        <p role="status" className="text-sm text-text-2">
          {words(restore.isSuccess ? 'memory.versions.restored' : 'memory.versions.same')}
        </p>
      )}
      <Problem error={restore.error} />
      {mayWrite && isText && !isSame && (
        <Button
          className="justify-self-start"
          icon="retry"
          busy={restore.isPending}
          onClick={() => restore.mutate(content)}
        >
          {words('memory.versions.restore')}
        </Button>
      )}
    </div>
  )
}
