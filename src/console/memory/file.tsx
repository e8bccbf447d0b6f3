/** The open memory file: its text in the editor, or its versions, and what can be done with it. */

import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { FileActions, type FileProps } from './actions.tsx'
import { Conflict } from './conflict.tsx'
import { useHasDraft } from './drafts.ts'
import type { FileText } from './state.ts'
import { useEditing, useFileQuery } from './use-file.ts'
import { Versions } from './versions.tsx'

const Editor = lazy(() => loaded(() => import('../editor/editor.tsx')))

/** A file that the server does not have, while a text of it is not saved. */
const NO_FILE: FileText = { text: '', etag: '' }

export function MemoryFile(props: FileProps) {
  const { path } = props
  const { data, error, isMissing, refetch } = useFileQuery(path)
  const hasDraft = useHasDraft(path)
  const retry = () => void refetch()
  if (isMissing && !hasDraft) return <Missing {...props} />
  if (data === undefined) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  return (
    <>
      <PollProblem error={error} hasData onRetry={retry} />
      <OpenFile {...props} file={data ?? NO_FILE} isMissing={isMissing} />
    </>
  )
}

/** A deleted file still has versions, which can be restored. */
function Missing({ path, version, onVersion }: FileProps) {
  const words = useWords()
  return (
    <article aria-label={path} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Heading path={path} />
      <p className="text-sm text-text-2">{words('memory.gone', { path })}</p>
      <Versions {...{ path, version, onVersion }} file={undefined} />
    </article>
  )
}

function Heading({ path }: { readonly path: string }) {
  return (
    <h2 className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">
      <Plain text={path} />
    </h2>
  )
}

type OpenProps = FileProps & { readonly file: FileText; readonly isMissing: boolean }

function OpenFile(props: OpenProps) {
  const { path, line, file, isMissing, version, onVersion } = props
  const words = useWords()
  const mayWrite = useMay('memory:write')
  const state = useEditing(path, file, isMissing)
  const { editing, save, error } = state
  const jump = useRef<(line: number) => void>(() => {})
  const isVersions = version !== undefined
  const isSaved = save.isSuccess && editing.draft === undefined
  return (
    <article aria-label={path} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <Heading path={path} />
        {editing.draft && (
          <span className="text-xs font-medium text-asks">● {words('memory.unsaved')}</span>
        )}
      </div>
      <FileActions {...props} state={state} />
      <Problem error={error} />
      {isSaved && (
        <p role="status" className="text-sm text-done">
          {words(save.data.redacted ? 'memory.saved.redacted' : 'memory.saved')}
        </p>
      )}
      <Conflict state={state} isMissing={isMissing} />
      {isVersions ? (
        <Versions {...{ path, version, onVersion }} file={isMissing ? undefined : editing.base} />
      ) : (
        <div className="h-[60dvh] min-h-60 overflow-hidden rounded-md border border-line">
          <Suspense fallback={<Loading />}>
            <Editor
              key={editing.key}
              path={path}
              label={path}
              text={editing.text}
              isReadOnly={!mayWrite}
              jump={jump}
              onChange={state.onChange}
              onSave={state.onSave}
            />
            <Jump jump={jump} line={line} />
          </Suspense>
        </div>
      )}
    </article>
  )
}

interface JumpProps {
  readonly jump: RefObject<(line: number) => void>
  readonly line: number | undefined
}

/** Moves the cursor to a line. It follows the editor, whose effect sets the function before. */
function Jump({ jump, line }: JumpProps) {
  useEffect(() => {
    if (line !== undefined) jump.current(line)
  }, [jump, line])
  return null
}
