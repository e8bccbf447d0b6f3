/**
 * Page that imports a folder or a zip archive: the files are sent to a place that no run reads, the
 * server plans what would happen to each, and one button performs the plan.
 */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { useTitle } from '../kit/title.ts'
import { amount, sizeText } from '../text/format.ts'
import { Inline } from '../text/text.tsx'
import { Choose } from './choose.tsx'
import { PlanView } from './plan.tsx'
import { type Bounds, bytesOf, type Selection } from './sources.ts'
import { importSearch } from './state.ts'
import { UnsentFiles } from './unsent.tsx'
import { type Progress, useUpload } from './upload.ts'

export default function Import() {
  const words = useWords()
  const mayWrite = useMay('config:raw')
  const mayRead = useMay('layers:read')
  useTitle(words('import.title'))
  return (
    <div className="h-full overflow-y-auto">
      <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('import.title')}</h1>
          <Link to="/layers" className="text-sm text-accent hover:underline">
            {words('layers.title')}
          </Link>
        </header>
        {!mayWrite ? (
          <Forbidden scope="config:raw" />
        ) : mayRead ? (
          <Steps />
        ) : (
          <Forbidden scope="layers:read" />
        )}
      </div>
    </div>
  )
}

function Steps() {
  const words = useWords()
  const navigate = useNavigate()
  // The router also passes parameters that the route has dropped.
  const search = importSearch(useSearch({ strict: false }))
  const {
    data: bounds,
    error,
    refetch,
  } = useQuery({
    queryKey: ['limits', 'import'],
    queryFn: readBounds,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [selection, setSelection] = useState<Selection>()
  /** Folder to which the selected files were sent. */
  const [folder, setFolder] = useState<string>()
  const upload = useUpload()
  const { stop } = upload
  // A transfer without its page would be invisible; it continues when the files are chosen again.
  useEffect(() => stop, [stop])
  if (!bounds) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />
  const send = async (): Promise<void> => {
    const from = selection && (await upload.send(selection))
    setFolder(from)
    if (from) void navigate({ to: '/layers/import', search: { ...search, from } })
  }
  const restart = (): void => {
    setSelection(undefined)
    const { layer, loose } = search
    void navigate({
      to: '/layers/import',
      search: { ...(layer && { layer }), ...(loose && { loose }) },
    })
  }
  if (search.from !== undefined)
    return (
      <PlanView
        {...search}
        from={search.from}
        unsent={search.from === folder ? (selection?.unsent ?? []) : []}
        onRestart={restart}
      />
    )
  if (upload.progress) return <Sending progress={upload.progress} onStop={upload.stop} />
  return (
    <>
      <Choose bounds={bounds} onChoose={setSelection} />
      {selection && <SelectionView {...{ selection, bounds }} onSend={() => void send()} />}
      <Problem error={upload.error} onRetry={() => void send()} />
      {upload.error !== undefined && (
        <p className="text-sm text-text-2">{words('import.continues')}</p>
      )}
    </>
  )
}

async function readBounds(): Promise<Bounds> {
  const limits = await api.limits.list()
  const limitOf = (name: string): number => limits[name]?.value ?? 0
  return {
    fileBytes: limitOf('file_body_bytes'),
    bytes: limitOf('import_bytes'),
    files: limitOf('import_files'),
  }
}

interface SendingProps {
  readonly progress: Progress
  readonly onStop: () => void
}

function Sending({ progress: { sent, total }, onStop }: SendingProps) {
  const words = useWords()
  const text = words('import.sending', { n: amount(sent), total: amount(total) })
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm">
        {text}
      </p>
      <progress value={sent} max={Math.max(1, total)} aria-label={text} className="w-full" />
      <div>
        <Button onClick={onStop}>{words('import.stop')}</Button>
      </div>
      <p className="text-sm text-text-2">{words('import.continues')}</p>
    </div>
  )
}

interface ChosenProps {
  readonly selection: Selection
  readonly bounds: Bounds
  readonly onSend: () => void
}

function SelectionView({ selection, bounds, onSend }: ChosenProps) {
  const words = useWords()
  const { sources, unsent } = selection
  const bytes = bytesOf(selection)
  const isLarge = sources.length > bounds.files || bytes > bounds.bytes
  return (
    <section aria-label={words('import.chosen')} className="grid gap-3">
      <p className="text-sm">
        {words('import.files', { n: sources.length, size: sizeText(bytes) })}
      </p>
      {isLarge && (
        <p role="alert" className="text-sm text-failed">
          {words('import.large', { n: bounds.files, size: sizeText(bounds.bytes) })}
        </p>
      )}
      <UnsentFiles unsent={unsent} />
      <div>
        <Button look="primary" disabled={isLarge || sources.length === 0} onClick={onSend}>
          {words('import.send')}
        </Button>
      </div>
      <p className="text-xs text-text-2">
        <Inline text={words('import.send.hint')} />
      </p>
    </section>
  )
}
