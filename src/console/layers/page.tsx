/** Page of the layers: their files, the text of one, its findings and versions, and migration. */

import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMay, useMayOneOf } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { importSearch } from '../import/state.ts'
import { Button } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { Forbidden, Loading, PollProblem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useTitle } from '../kit/title.ts'
import { Code, Inline } from '../text/text.tsx'
import { useDraftPaths } from './drafts.ts'
import { FileView } from './file.tsx'
import { Migrate } from './migrate.tsx'
import { NewFile } from './new-file.tsx'
import { BASE, choiceFor, layerOf, openLayer } from './state.ts'
import { FileTree } from './tree-view.tsx'
import { type Address, useAddress } from './use-address.ts'
import { MOST_FILES, useFiles, useLayers } from './use-files.ts'

export default function Layers() {
  const words = useWords()
  const may = useMayOneOf()(['layers:read', 'config:raw'])
  const address = useAddress()
  const { file } = address.search
  const name = file?.slice(file.lastIndexOf('/') + 1)
  useTitle(name === undefined ? words('layers.title') : `${name} · ${words('layers.title')}`)
  if (may) return <Content address={address} />
  return (
    <div className="grid gap-3 p-4">
      <h1 className="text-xl font-semibold">{words('layers.title')}</h1>
      <Forbidden scope="layers:read" />
      <Code
        label={words('runs.forbidden.command')}
        text="strata keys --create --name console --scope layers:read --scope config:raw"
      />
    </div>
  )
}

function Content({ address }: { readonly address: Address }) {
  const words = useWords()
  const { search, change, open } = address
  const { file, pane } = search
  const layer = openLayer(search)
  const { isRaw, listing, error, retry } = useFiles(layer)
  const paths = useMemo(() => listing?.files.map(({ path }) => path) ?? [], [listing])
  const isMigrating = pane === 'migrate'
  // The file, or the plan, covers the tree on narrow pages.
  const isCovered = file !== undefined || isMigrating
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head {...{ address, layer, isCovered }} />
      <OfflineLine />
      <div className="flex min-h-0 flex-1">
        <div
          className={`min-h-0 w-full flex-col lg:flex lg:w-72 lg:flex-none lg:border-r lg:border-line ${isCovered ? 'hidden' : 'flex'}`}
        >
          {!isRaw && (
            <div className="border-b border-line px-3 py-2 text-xs">
              <p>{words('layers.managed')}</p>
              <Forbidden scope="config:raw" />
            </div>
          )}
          <div className="p-2 empty:hidden">
            <PollProblem error={error} hasData={listing !== undefined} onRetry={retry} />
          </div>
          {!listing && !error && <Loading />}
          {listing?.hasMore && (
            <p className="px-3 pt-2 text-xs text-late">{words('layers.more', { n: MOST_FILES })}</p>
          )}
          {listing && (
            <FileTree
              {...{ layer, file }}
              files={listing.files}
              empty={<Empty layer={layer} />}
              onOpen={open}
            />
          )}
        </div>
        {isMigrating ? (
          <Migrate key={layer} layer={layer} onClose={() => change({ pane: undefined })} />
        ) : file === undefined ? (
          <p className="hidden flex-1 p-4 text-sm text-text-2 lg:block">
            <Inline text={words('layers.select')} />
          </p>
        ) : (
          <FileView key={`${layer} ${file}`} path={file} {...{ layer, address }} />
        )}
      </div>
      {search.new && (
        <NewFile
          template={search.new}
          {...{ layer, paths }}
          onTemplate={(template) => change({ new: template }, true)}
          onCreate={open}
          onClose={() => change({ new: undefined }, true)}
        />
      )}
    </div>
  )
}

interface HeadProps {
  readonly address: Address
  readonly layer: string
  readonly isCovered: boolean
}

function Head({ address, layer, isCovered }: HeadProps) {
  const words = useWords()
  const mayWrite = useMayOneOf()(['layers:write', 'config:raw'])
  const mayMigrate = useMay('layers:write')
  const mayResolve = useMay('layers:read')
  const mayImport = useMay('config:raw') && mayResolve
  return (
    <header
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 ${isCovered ? 'lg:border-b lg:py-2' : 'border-b py-2'}`}
    >
      <h1 className="sr-only font-semibold lg:not-sr-only">{words('layers.title')}</h1>
      <div className={isCovered ? 'hidden lg:contents' : 'contents'}>
        <LayerSelect {...{ address, layer }} />
        {mayWrite && (
          <Button icon="plus" onClick={() => address.change({ new: 'agent' })}>
            {words('layers.new')}
          </Button>
        )}
        {mayMigrate && (
          <Button onClick={() => address.change({ layer, file: undefined, pane: 'migrate' })}>
            {words('layers.migrate')}
          </Button>
        )}
        {mayImport && (
          <Link
            to="/layers/import"
            search={importSearch({ layer })}
            className="inline-flex items-center text-sm text-accent hover:underline pointer-coarse:min-h-11"
          >
            {words('import.title')}
          </Link>
        )}
        {mayResolve && (
          <Link
            to="/layers/effective"
            search={choiceFor(layer)}
            className="inline-flex items-center text-sm text-accent hover:underline pointer-coarse:min-h-11"
          >
            {words('effective.title')}
          </Link>
        )}
      </div>
      <p className="ml-auto hidden text-xs text-text-3 2xl:block pointer-coarse:hidden">
        <Inline text={words('layers.shortcuts')} />
      </p>
    </header>
  )
}

function LayerSelect({ address, layer }: Pick<HeadProps, 'address' | 'layer'>) {
  const words = useWords()
  const { data } = useLayers()
  const draftLayers = useDraftPaths().map(layerOf)
  const stored = (data?.layers ?? []).map((entry) => entry.layer)
  const names = [...new Set([BASE, layer, ...stored, ...draftLayers])]
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span aria-hidden="true" className="text-xs text-text-2">
        {words('layers.layer')}
      </span>
      <select
        aria-label={words('layers.layer')}
        value={layer}
        onChange={({ target }) =>
          address.change({ layer: target.value, file: undefined, pane: undefined })
        }
        className={`${INPUT} max-w-56 min-w-0`}
      >
        {names.toSorted().map((name) => (
          <option key={name} value={name}>
            {draftLayers.includes(name) ? `${name} ●` : name}
          </option>
        ))}
      </select>
    </div>
  )
}

function Empty({ layer }: { readonly layer: string }) {
  const words = useWords()
  return (
    <div className="grid gap-2 p-3 text-sm">
      <p className="text-text-2">{words('layers.empty')}</p>
      <Code label="strata" text={`strata push examples/packs/base ${layer.replace(/\/$/, '')}`} />
    </div>
  )
}
