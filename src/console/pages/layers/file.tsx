/** One file: its text in the editor, what is found in it, and what can be done with it. */

import { useQuery } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { api, noteProblem } from '../../app/api.ts'
import { lazily } from '../../app/loaded.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import type { Finding } from './check.ts'
import { Conflict } from './conflict.tsx'
import { draftOf, forgetDraft, isUnkept } from './drafts.ts'
import { useEditing } from './editing.ts'
import {
  type Content,
  contentKey,
  contentOf,
  FILES,
  knownPaths,
  RESOLVED,
  useMostBytes,
} from './files.ts'
import { Findings } from './findings.tsx'
import { bytesOf, layerOf, runOf } from './paths.ts'
import { VersionsButton } from './versions.tsx'

const Editor = lazily(() => import('./editor.tsx'))

export function File({ path }: { readonly path: string }) {
  const words = useWords()
  const found = useQuery({ queryKey: contentKey(path), queryFn: () => contentOf(path) })
  if (found.isPending) return <Loading />
  if (found.error) {
    return (
      <div className="p-4">
        <Problem error={found.error} onRetry={() => void found.refetch()} />
      </div>
    )
  }
  const content = found.data ?? null
  if (!content && !draftOf(path)) {
    return (
      <Empty title={words('layers.missing', { path })}>
        <VersionsButton resource={fileAt(path)} />
      </Empty>
    )
  }
  if (content && content.text === undefined)
    return <Empty title={words('layers.binary', { size: bytesOf(content.size) })} />
  return <Open path={path} content={content} />
}

function Open({ path, content }: { readonly path: string; readonly content: Content | null }) {
  const words = useWords()
  const raw = useMay('config:raw')
  const may = useMay('layers:write') && raw
  const most = useMostBytes()
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const jump = useRef<(line: number) => void>(() => {})
  const editing = useEditing(path, content)
  const { began, text, size, theirs, isDirty, isOld, saving } = editing
  const record = useRecord(path)
  const tooLarge = most !== undefined && size > most
  const save = (): void => {
    if (may && isDirty && !tooLarge && !saving.isPending) saving.mutate()
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Bar {...{ path, size, may, isDirty, etag: began.etag, status: record?.status }}>
        {!theirs && (
          <Button
            look="primary"
            busy={saving.isPending}
            disabled={!may || !isDirty || tooLarge}
            title="Ctrl S"
            onClick={save}
          >
            {words('save')}
          </Button>
        )}
      </Bar>
      <Problem error={saving.error} />
      {!may && <Note text={words('layers.readonly')} />}
      {tooLarge && (
        <Note text={words('layers.large', { size: bytesOf(size), most: bytesOf(most) })} />
      )}
      {isUnkept(path) && <Note text={words('layers.unkept')} />}
      {isOld && (
        <Note text={words('layers.old')}>
          <Button onClick={() => editing.setTheirs({ content })}>{words('layers.compare')}</Button>
        </Note>
      )}
      {theirs ? (
        <Conflict
          {...{ path, theirs: theirs.content, base: began.base, mine: text.current }}
          busy={saving.isPending}
          onChange={editing.type}
          onSave={save}
          onTake={() => editing.take(theirs.content)}
          onBack={() => editing.setTheirs(undefined)}
        />
      ) : (
        <>
          <div className="min-h-40 flex-1">
            <Suspense fallback={<Loading />}>
              <Editor
                key={began.revision}
                {...{ path, label: path, text: text.current, saved: began.base, jump }}
                known={knownPaths}
                readOnly={!may}
                said={record?.diagnostics ?? NONE}
                onChange={editing.type}
                onFindings={setFindings}
                onSave={save}
              />
            </Suspense>
          </div>
          <Findings findings={findings} onJump={(line) => jump.current(line)} />
        </>
      )}
      <Leaving path={path} />
    </div>
  )
}

const NONE: readonly Finding[] = []
/** A file is named by its whole key. */
const fileAt = (path: string) => ({ kind: 'file', name: path, layer: '' }) as const

/** The record of the server about the file as it is saved. */
function useRecord(path: string) {
  const layer = layerOf(path)
  const { data } = useQuery({
    queryKey: [...RESOLVED, runOf(layer ?? '')],
    queryFn: () => api.layers.resolve(runOf(layer ?? '')),
    enabled: layer !== undefined,
  })
  return data?.records.find((one) => one.layer + one.path === path)
}

function Note({ text, children }: { readonly text: string; readonly children?: React.ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-b border-line bg-warn-soft px-4 py-2 text-sm text-warn"
    >
      <span className="flex-1">{text}</span>
      {children}
    </div>
  )
}

interface BarProps {
  readonly path: string
  readonly size: number
  readonly may: boolean
  readonly isDirty: boolean
  readonly etag: string | null
  readonly status: string | undefined
  readonly children: React.ReactNode
}

const TONES = { loaded: 'good', loaded_with_warnings: 'warn', rejected: 'bad' } as const

function Bar({ path, size, may, isDirty, etag, status, children }: BarProps) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-2">
      <Link to="/layers" aria-label={words('layers.files')} className="text-muted lg:hidden">
        <Icon name="left" />
      </Link>
      <code className="min-w-40 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{path}</code>
      <span className="text-xs text-muted tabular-nums">{bytesOf(size)}</span>
      {isDirty && <Badge tone="warn">{words('layers.unsaved')}</Badge>}
      {!isDirty && status && status in TONES && (
        <Badge tone={TONES[status as keyof typeof TONES]}>
          {words(`layers.${status as keyof typeof TONES}`)}
        </Badge>
      )}
      {etag !== null && <VersionsButton resource={fileAt(path)} />}
      {isDirty && (
        <Confirm
          word={words('layers.discard')}
          question={words('layers.discard.sure', { path })}
          act={async () => {
            forgetDraft(path)
            await navigate({ to: '/layers' })
          }}
          touches={FILES}
        />
      )}
      {may && etag !== null && !isDirty && (
        <Confirm
          word={words('delete')}
          question={words('layers.delete.sure', { path })}
          act={async () => {
            await api.files.delete(path, { ifMatch: etag }).catch((error: unknown) => {
              noteProblem(error)
              throw error
            })
            await navigate({ to: '/layers' })
          }}
          touches={FILES}
        />
      )}
      {children}
    </div>
  )
}

/** Asks before one goes elsewhere while something is not saved. */
function Leaving({ path }: { readonly path: string }) {
  const words = useWords()
  const isDirty = (): boolean => draftOf(path) !== undefined
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <Dialog title={words('layers.leave')} open={status === 'blocked'} onClose={() => reset?.()}>
      <div className="grid gap-4">
        <p className="text-sm">
          {words(isUnkept(path) ? 'layers.leave.unkept' : 'layers.leave.hint')}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={() => proceed?.()}>{words('layers.leave.go')}</Button>
          <Button look="primary" onClick={() => reset?.()}>
            {words('layers.leave.stay')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
