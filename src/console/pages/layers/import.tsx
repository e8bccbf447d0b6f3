/** Bringing in a folder or a zip: first what would happen to each file, then the writing. */

import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Inline } from '../../ui/text.tsx'
import { entriesOf, sourcesOfEntries, sourcesOfFiles } from './dropped.ts'
import { useMostBytes } from './files.ts'
import { type Source, targetFor } from './import-plan.ts'
import { ImportReport } from './import-report.tsx'
import { reportOf, takeHanded, useWriting } from './importing.ts'
import { LayerInput } from './layer-input.tsx'

export default function Import() {
  const words = useWords()
  const raw = useMay('config:raw')
  const may = useMay('layers:write') && raw
  const [sources, setSources] = useState<readonly Source[]>()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  const reading = async (read: () => Promise<readonly Source[]>): Promise<void> => {
    setError(undefined)
    setCount(0)
    try {
      setSources(await read())
    } catch (failed) {
      setError(failed)
    }
    setCount(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: handed over once.
  useEffect(() => {
    const entries = takeHanded()
    if (entries) void reading(() => sourcesOfEntries(entries, setCount))
  }, [])
  if (!may) return <p className="text-sm text-muted">{words('error.forbidden')}</p>
  if (sources) return <Planning sources={sources} onOther={() => setSources(undefined)} />
  return (
    <div className="grid gap-4">
      <Drop
        onEntries={(entries) => void reading(() => sourcesOfEntries(entries, setCount))}
        onFiles={(files) => void reading(() => sourcesOfFiles(files))}
      />
      {count !== undefined && (
        <p role="status" className="text-sm text-muted">
          {words('layers.reading', { n: count })}
        </p>
      )}
      <Problem error={error} />
    </div>
  )
}

interface DropProps {
  readonly onEntries: (entries: readonly FileSystemEntry[]) => void
  readonly onFiles: (files: readonly File[]) => void
}

function Drop({ onEntries, onFiles }: DropProps) {
  const words = useWords()
  const [over, setOver] = useState(false)
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    onEntries(entriesOf(event.dataTransfer))
  }
  const pick = (input: HTMLInputElement): void => {
    const chosen = [...(input.files ?? [])]
    input.value = ''
    if (chosen.length > 0) onFiles(chosen)
  }
  return (
    <section
      aria-label={words('layers.import')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`grid justify-items-center gap-4 rounded-2xl border-2 border-dashed px-4 py-14 text-center ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <Icon name="upload" size={32} />
      <p className="font-semibold">{words('layers.drop')}</p>
      <p className="max-w-xl text-sm text-muted">
        <Inline text={words('layers.drop.hint')} />
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="primary" icon="folder" onClick={() => folder.current?.click()}>
          {words('layers.pick.folder')}
        </Button>
        <Button icon="file" onClick={() => files.current?.click()}>
          {words('layers.pick.files')}
        </Button>
      </div>
      <input
        ref={(input) => {
          folder.current = input
          if (input) input.webkitdirectory = true
        }}
        type="file"
        hidden
        aria-label={words('layers.pick.folder')}
        onChange={({ target }) => pick(target)}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={words('layers.pick.files')}
        onChange={({ target }) => pick(target)}
      />
    </section>
  )
}

let asked = 0

function Planning(props: { readonly sources: readonly Source[]; readonly onOther: () => void }) {
  const words = useWords()
  const { sources, onOther } = props
  const mostBytes = useMostBytes()
  const [id] = useState(() => (asked += 1))
  const [target, setTarget] = useState(() => targetFor(sources))
  const [arrange, setArrange] = useState(false)
  const [progress, setProgress] = useState<readonly [number, number]>()
  const prefix = target.trim() === '' ? '' : `${target.trim().replace(/\/+$/, '')}/`
  const writing = useWriting()
  const found = useQuery({
    queryKey: ['import', id, prefix, arrange],
    queryFn: () =>
      reportOf({
        ...{ sources, target: prefix, arrange, mostBytes: mostBytes ?? 0 },
        onProgress: (done, total) => setProgress([done, total]),
      }),
    enabled: mostBytes !== undefined,
    // A report is made once: after writing it would tell another story.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useBlocker({
    shouldBlockFn: () => writing.busy && !globalThis.confirm(words('layers.import.leave')),
    enableBeforeUnload: () => writing.busy,
  })
  const fixed = writing.busy || writing.states.size > 0
  return (
    <div className="grid gap-4">
      <fieldset disabled={fixed} className="grid gap-3">
        <LayerInput
          label={words('layers.target')}
          hint={words('layers.target.hint')}
          value={target}
          onChange={setTarget}
        />
        <Checkbox
          label={words('layers.arrange')}
          checked={arrange}
          onChange={({ target: box }) => setArrange(box.checked)}
        />
      </fieldset>
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && !found.error && !progress && <Loading />}
      {found.isPending && !found.error && progress && (
        <p role="status" className="text-sm text-muted">
          {words('layers.comparing', { n: progress[0], total: progress[1] })}
        </p>
      )}
      {found.data && (
        <ImportReport
          {...{ report: found.data, writing, mostBytes: mostBytes ?? 0 }}
          onOther={onOther}
        />
      )}
    </div>
  )
}
