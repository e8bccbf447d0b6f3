/** Layers: files and their text, what they come to for a run, bringing files in, and migration. */

import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazily } from '../../app/loaded.ts'
import { useMay } from '../../app/session.ts'
import { useTitle } from '../../app/title.ts'
import { useWish } from '../../app/wish.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { intoView } from '../../ui/tabs.tsx'
import { Inline } from '../../ui/text.tsx'
import { entriesOf } from './dropped.ts'
import { File } from './file.tsx'
import { useFiles } from './files.ts'
import { handOver } from './importing.ts'
import { NewFile } from './new-file.tsx'
import { FileTree } from './tree.tsx'

const TABS = [
  { name: 'files', word: 'layers.files' },
  { name: 'effective', word: 'layers.effective' },
  { name: 'import', word: 'layers.import' },
  { name: 'migrate', word: 'layers.migrate' },
] as const

const Effective = lazily(() => import('./effective.tsx'))
const Import = lazily(() => import('./import.tsx'))
const Migrate = lazily(() => import('./migrate.tsx'))

export default function Layers() {
  const words = useWords()
  const { _splat: path = '' } = useParams({ strict: false })
  const { tab = 'files' } = useSearch({ strict: false }) as { readonly tab?: string }
  useTitle(path === '' ? words('nav.layers') : `${path.split('/').at(-1)} · ${words('nav.layers')}`)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-6 border-b border-line bg-surface px-4 sm:px-6">
        <h1 className="py-3 text-lg font-semibold">{words('nav.layers')}</h1>
        <nav aria-label={words('nav.layers')} className="flex max-w-full gap-1 overflow-x-auto">
          {TABS.map(({ name, word }) => (
            <Link
              key={name}
              ref={name === tab ? intoView : undefined}
              to={path === '' ? '/layers' : '/layers/$'}
              params={{ _splat: path } as never}
              search={(name === 'files' ? {} : { tab: name }) as never}
              aria-current={name === tab ? 'page' : undefined}
              className={`border-b-2 px-3 py-3 text-sm whitespace-nowrap ${name === tab ? 'border-accent font-medium text-accent' : 'border-transparent text-muted hover:text-text'}`}
            >
              {words(word)}
            </Link>
          ))}
        </nav>
      </header>
      <div className="min-h-0 flex-1">
        {tab === 'files' ? (
          <Files path={path} />
        ) : (
          <div className="h-full overflow-y-auto">
            <div className="mx-auto max-w-5xl px-4 py-5 sm:px-6">
              <Suspense fallback={<Loading />}>
                {tab === 'effective' && <Effective />}
                {tab === 'import' && <Import />}
                {tab === 'migrate' && <Migrate />}
              </Suspense>
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

function Files({ path }: { readonly path: string }) {
  const words = useWords()
  const raw = useMay('config:raw')
  const may = useMay('layers:write') && raw
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  useWish('layers.new', () => setNew(true))
  const found = useFiles()
  const entries = found.data?.entries ?? []
  const isEmpty = found.isSuccess && entries.length === 0 && path === ''
  return (
    <section
      aria-label={words('layers.drop.all')}
      // Beside the tree too: a browser would leave the page for the file.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        handOver(entriesOf(event.dataTransfer))
        void navigate({ to: '/layers', search: { tab: 'import' } as never })
      }}
      className="flex h-full min-h-0"
    >
      <section
        aria-label={words('layers.files')}
        className={`${path === '' ? 'flex' : 'hidden lg:flex'} h-full w-full shrink-0 flex-col border-r border-line bg-surface lg:w-72 2xl:w-96`}
      >
        {may && (
          <div className="flex gap-2 px-2 pt-2">
            <Button icon="plus" className="flex-1" onClick={() => setNew(true)}>
              {words('layers.new')}
            </Button>
            <Link
              to="/layers"
              search={{ tab: 'import' } as never}
              className="inline-flex min-h-8 flex-1 items-center justify-center rounded-lg border border-line px-3 py-1 text-sm font-medium hover:bg-raised"
            >
              {words('layers.import')}
            </Link>
          </div>
        )}
        <Problem error={found.error} onRetry={() => void found.refetch()} />
        {found.isPending && <Loading />}
        {found.data?.more && (
          <p className="px-3 pt-2 text-xs text-warn">
            <Inline text={words('layers.more', { n: entries.length })} />
          </p>
        )}
        {isEmpty && (
          <Empty title={words('layers.empty')} command="strata push examples/packs/base base">
            {words('layers.empty.hint')}
          </Empty>
        )}
        {found.isSuccess && !isEmpty && <FileTree entries={entries} chosen={path} />}
      </section>
      <div className={`${path === '' ? 'hidden lg:block' : ''} h-full min-w-0 flex-1`}>
        {path === '' ? (
          <Empty title={words('layers.choose')}>{words('layers.choose.hint')}</Empty>
        ) : (
          <File key={path} path={path} />
        )}
      </div>
      <NewFile
        open={isNew}
        known={new Set(entries.map((one) => one.path))}
        onClose={() => setNew(false)}
      />
    </section>
  )
}
