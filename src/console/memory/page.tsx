/** Page of memory: files by scope or passages of a search, and the open file beside them. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { MissingScope } from '../kit/missing-scope.tsx'
import { More, usePages } from '../kit/more.tsx'
import { Forbidden, Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { useIsWide } from '../kit/wide.ts'
import { Code, Inline } from '../text/text.tsx'
import { Panes } from '../webhooks/panes.tsx'
import { MemoryFile } from './file.tsx'
import { IndexState } from './index-state.tsx'
import { NewFile } from './new-file.tsx'
import { Find, Passages } from './passages.tsx'
import { type MemorySearch, memorySearch } from './search.ts'
import { groupsOf } from './state.ts'
import { type MemoryFileEntry, Tree } from './tree.tsx'
import { MEMORY } from './use-file.ts'

const EVERY_MS = 15_000
const PAGE = 100

export default function Memory() {
  const words = useWords()
  const may = useMay('memory:read')
  const mayWrite = useMay('memory:write')
  const [isCreating, setCreating] = useState(false)
  // The router also passes parameters that the route has dropped.
  const search = memorySearch(useSearch({ strict: false }))
  const change = useChange()
  useTitle(words('memory.title'))
  // On narrow pages, the open file covers the list and its controls.
  const isCovered = search.file !== undefined
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-line px-4 md:min-h-11 md:border-b md:py-1 ${isCovered ? '' : 'border-b py-1'}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('memory.title')}</h1>
        {may && (
          <div
            className={`min-w-0 flex-1 items-center gap-4 ${isCovered ? 'hidden md:flex' : 'flex'}`}
          >
            <Find
              text={search.q ?? ''}
              onChange={(q, isTyping) => change({ ...search, q }, isTyping)}
            />
            <p className="ml-auto hidden text-xs text-text-3 xl:block pointer-coarse:hidden">
              <Inline text={words('memory.shortcuts')} />
            </p>
            {mayWrite && (
              <Button icon="plus" className="ml-auto xl:ml-0" onClick={() => setCreating(true)}>
                {words('memory.new')}
              </Button>
            )}
          </div>
        )}
      </header>
      {may && !mayWrite && (
        <div className="flex flex-wrap gap-x-2 border-b border-line px-4 py-1">
          <p className="text-xs text-text-2">{words('memory.readonly')}</p>
          <Forbidden scope="memory:write" />
        </div>
      )}
      {may ? <Content {...{ search, change }} /> : <MissingScope scope="memory:read" />}
      {isCreating && (
        <NewFile
          onCreated={(file) => {
            setCreating(false)
            change({ file })
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  )
}

export type Change = (search: MemorySearch, isReplaced?: boolean) => void

function useChange(): Change {
  const navigate = useNavigate({ from: '/memory' })
  return (search, isReplaced = false) => {
    void navigate({ to: '.', replace: isReplaced, search: memorySearch({ ...search }) })
  }
}

interface Props {
  readonly search: MemorySearch
  readonly change: Change
}

function Content({ search, change }: Props) {
  const words = useWords()
  const isWide = useIsWide()
  const { q, file } = search
  const pages = usePages<MemoryFileEntry>(
    [...MEMORY, 'list'],
    (cursor) => api.memory.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const groups = groupsOf(pages.items)
  const paths = groups.flatMap(({ folders }) =>
    folders.flatMap(({ files }) => files.map(({ path }) => path)),
  )
  const open = (path: string, line?: number): void =>
    change({ ...(q && { q }), file: path, ...(line && { line }) }, isWide && file !== undefined)
  const close = (): void => change(q ? { q } : {}, true)
  const move = (step: 1 | -1): void => {
    const at = file === undefined ? -1 : paths.indexOf(file)
    const next = paths[Math.max(0, Math.min(paths.length - 1, at + step))]
    if (next !== undefined) open(next)
  }
  useKeys({
    ...(q ? {} : { j: () => move(1), k: () => move(-1) }),
    '/': () => document.getElementById('find-memory')?.focus(),
  })
  const isEmpty = pages.isSuccess && pages.items.length === 0
  return (
    <>
      <OfflineLine />
      <Panes
        label={words('memory.file')}
        isEmpty={isEmpty}
        onBack={close}
        list={
          q ? (
            <Passages q={q} open={file} line={search.line} onOpen={open} />
          ) : (
            <>
              {pages.isPending && !pages.error && <Loading />}
              {isEmpty && <Empty />}
              <Tree groups={groups} open={file} onOpen={open} />
              <div className="px-4">
                <More of={pages} />
              </div>
            </>
          )
        }
        foot={<IndexState />}
        entry={
          file === undefined ? undefined : (
            <MemoryFile
              key={file}
              path={file}
              line={search.line}
              version={search.version}
              onVersion={(version) =>
                change({ ...(q && { q }), file, ...(version && { version }) })
              }
              onDeleted={close}
            />
          )
        }
      />
    </>
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('memory.empty')}</p>
      <Code label="curl" text={curlCommand()} />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl -X PUT ${location.origin}/v1/memory/shared/MEMORY.md \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"content": "- Answer in short sentences."}'`,
  ].join('\n')
