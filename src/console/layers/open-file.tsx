/** Editor of a file with its actions, and the tabs with findings, versions, and uses. */

import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { isCovered as isPageCovered } from '../kit/shortcuts.ts'
import { Plain } from '../text/text.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { Conflict } from './conflict.tsx'
import { type Content, deleteFile } from './content.ts'
import { dropFileDraft, isUnstored } from './drafts.ts'
import { Panel, PanelTabs } from './panel.tsx'
import { type Defined, type WriteRoute, writeRoute } from './resources.ts'

import { MOST_BYTES, sizeText } from './text.ts'
import type { Address } from './use-address.ts'
import { useCheck } from './use-check.ts'
import { type Editing, useEditing } from './use-editing.ts'
import { reloadFiles } from './use-files.ts'
import { VersionView } from './versions.tsx'

const Editor = lazy(() => loaded(() => import('../editor/editor.tsx')))

interface Props {
  readonly path: string
  readonly layer: string
  readonly address: Address
  /** Stored file; null for a new file. */
  readonly content: Content | null
  readonly contentKey: readonly unknown[]
  readonly read: () => Promise<Content | null>
  /** Agents, skills, and servers that the file defines. */
  readonly resources: readonly Defined[]
  /** Agents, skills, and servers that the layer defines. */
  readonly defined: readonly Defined[]
}

export function OpenFile(props: Props) {
  const { path, layer, address, content, defined, resources } = props
  const words = useWords()
  const { search } = address
  const scopes = { isRaw: useMay('config:raw'), mayWrite: useMay('layers:write') }
  const route = content?.isSummary ? undefined : writeRoute({ path, layer }, defined, scopes)
  const editing = useEditing(props)
  const check = useCheck(path, layer)
  const jump = useRef<(line: number) => void>(() => {})
  const [isForced, setForced] = useState(false)
  const usedRoute: WriteRoute | undefined = isForced && scopes.isRaw ? { by: 'file' } : route
  const { theirs, isDirty, save, size } = editing
  const mayNotSave = !usedRoute || !isDirty || size > MOST_BYTES || save.isPending
  const saveText = (): void => {
    if (usedRoute && !mayNotSave && !theirs) save.mutate({ route: usedRoute })
  }
  useSaveKey(saveText)
  const goTo = (line: number): void => {
    address.change({ line, pane: undefined, v: undefined }, true)
    jump.current(line)
  }
  // On narrow pages, a tab covers the editor, and a selected version covers the tab.
  const isCovered = search.pane !== undefined && search.v === undefined && !theirs
  const isVersion = search.v !== undefined && !theirs
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col xl:flex-row">
      <section
        aria-label={words('layers.file')}
        className={`flex min-h-0 min-w-0 flex-col ${isCovered ? 'xl:flex-1' : 'flex-1'}`}
      >
        <Head {...{ path, content, editing, scopes, address }} route={usedRoute}>
          {!theirs && usedRoute && (
            <Button
              look="primary"
              title="Ctrl S"
              busy={save.isPending}
              disabled={mayNotSave}
              onClick={saveText}
            >
              {words('save')}
            </Button>
          )}
        </Head>
        <PanelTabs {...{ address, check, hasEditor: true }} />
        <div className={`min-h-0 flex-1 flex-col ${isCovered ? 'hidden xl:flex' : 'flex'}`}>
          <Notes {...{ path, layer, content, editing, isReadOnly: !usedRoute }} />
          {save.error !== null && !theirs && (
            <div className="grid justify-items-start gap-2 p-2">
              <Problem error={save.error} />
              {usedRoute?.by !== 'file' && scopes.isRaw && (
                <Button
                  onClick={() => {
                    setForced(true)
                    save.mutate({ route: { by: 'file' } })
                  }}
                >
                  {words('layers.save.raw')}
                </Button>
              )}
            </div>
          )}
          {theirs && usedRoute && (
            <Conflict {...{ path, editing, check, route: usedRoute }} theirs={theirs.content} />
          )}
          {isVersion && <VersionView {...{ path, layer, address, resources, content }} />}
          {!(theirs && usedRoute) && (
            <div className={`min-h-0 flex-1 ${isVersion ? 'hidden' : ''}`}>
              <Suspense fallback={<Loading />}>
                <Editor
                  key={editing.start.revision}
                  {...{ path, jump }}
                  label={path}
                  text={editing.text.current}
                  line={search.line}
                  isReadOnly={!usedRoute}
                  {...(check.run && !content?.isSummary ? { check: check.run } : {})}
                  onChange={editing.type}
                  onSave={saveText}
                />
              </Suspense>
            </div>
          )}
        </div>
      </section>
      <Panel
        {...{ path, layer, address, check, resources }}
        isCovering={isCovered}
        isHidden={theirs !== undefined}
        onLine={goTo}
      />
    </div>
  )
}

/** Saves by Ctrl-S also while the editor does not have the focus. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      event.preventDefault()
      if (!isPageCovered()) latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

interface HeadProps {
  readonly path: string
  readonly content: Content | null
  readonly editing: Editing
  readonly scopes: { readonly isRaw: boolean }
  readonly route: WriteRoute | undefined
  readonly address: Address
  readonly children: ReactNode
}

function Head({ path, content, editing, scopes, route, address, children }: HeadProps) {
  const words = useWords()
  const [dialog, setDialog] = useState<'delete' | 'discard'>()
  const { isDirty, size, discard, theirs } = editing
  const removal = useMutation({
    mutationFn: () => deleteFile(path, content?.etag ?? '', route ?? { by: 'file' }),
    onSuccess: async () => {
      dropFileDraft(path)
      address.open(undefined)
      await reloadFiles()
    },
  })
  const mayDelete = content !== null && route && (scopes.isRaw || route.by === 'agent')
  const end = (): void => {
    discard()
    setDialog(undefined)
    if (content === null) address.open(undefined)
  }
  return (
    <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      <span className="lg:hidden">
        <IconButton
          icon="left"
          label={words('layers.back')}
          onClick={() => address.open(undefined)}
        />
      </span>
      <h2 className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">
        <Plain text={path} />
      </h2>
      <span role="status" className={`text-xs ${isDirty ? 'text-late' : 'text-text-3'}`}>
        {isDirty ? `● ${words('layers.unsaved')}` : sizeText(size)}
      </span>
      {isDirty && !theirs && (
        <Button look="quiet" onClick={() => setDialog('discard')}>
          {words('layers.discard')}
        </Button>
      )}
      {mayDelete && !theirs && (
        <IconButton
          icon="trash"
          label={words('layers.delete')}
          onClick={() => setDialog('delete')}
        />
      )}
      {children}
      {dialog === 'delete' && (
        <Confirm
          title={words('layers.delete')}
          question={words(
            route?.by === 'agent' ? 'layers.delete.agent' : 'layers.delete.question',
            { path },
          )}
          isBusy={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate()}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'discard' && (
        <Confirm
          title={words('layers.discard')}
          question={words('layers.discard.question', { path })}
          isBusy={false}
          error={undefined}
          onConfirm={end}
          onClose={() => setDialog(undefined)}
        />
      )}
    </header>
  )
}

interface NotesProps {
  readonly path: string
  readonly layer: string
  readonly content: Content | null
  readonly editing: Editing
  readonly isReadOnly: boolean
}

/** Sentences above the editor about what prevents saving, or may lose text. */
function Notes({ path, content, editing, isReadOnly }: NotesProps) {
  const words = useWords()
  const { size, isOutdated, setTheirs } = editing
  const isRaw = useMay('config:raw')
  return (
    <>
      {isReadOnly && (
        <div className="border-b border-line px-4 py-1">
          {content?.isSummary && <p className="text-xs text-text-2">{words('layers.summary')}</p>}
          <Forbidden
            scope={isRaw ? 'layers:write' : content?.isSummary ? 'config:raw' : 'layers:write'}
          />
        </div>
      )}
      {size > MOST_BYTES && (
        <Note text={words('layers.large', { size: sizeText(size), most: sizeText(MOST_BYTES) })} />
      )}
      {isUnstored(path) && <Note text={words('layers.unstored')} />}
      {isOutdated && (
        <Note text={words('layers.outdated')}>
          <Button onClick={() => setTheirs({ content })}>{words('layers.outdated.compare')}</Button>
        </Note>
      )}
    </>
  )
}

function Note({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-b border-line bg-late-tint px-4 py-1.5 text-sm text-late"
    >
      <p className="min-w-0 flex-1">{text}</p>
      {children}
    </div>
  )
}
