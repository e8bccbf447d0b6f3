/** Choice of a folder, of files, or of a zip archive, by a dialog or by dropping it on the page. */

import { type DragEvent, useRef, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { Problem } from '../kit/notice.tsx'
import { Inline } from '../text/text.tsx'
import type { ArchiveError } from './archive.ts'
import { entriesOf, sourcesOfEntries, sourcesOfFiles } from './dropped.ts'
import { type Bounds, type Selection, type Source, selectionOf } from './sources.ts'

interface Props {
  readonly bounds: Bounds
  readonly onChoose: (selection: Selection) => void
}

export function Choose({ bounds, onChoose }: Props) {
  const words = useWords()
  const [isOver, setOver] = useState(false)
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const read = async (sources: Promise<readonly Source[]>): Promise<void> => {
    setError(undefined)
    setCount(0)
    try {
      onChoose(selectionOf(await sources, bounds))
    } catch (failure) {
      setError(failure)
    }
    setCount(undefined)
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void read(sourcesOfEntries(entriesOf(event.dataTransfer), bounds, setCount))
  }
  const pick = (input: HTMLInputElement): void => {
    const picked = [...(input.files ?? [])]
    input.value = ''
    void read(sourcesOfFiles(picked, bounds))
  }
  return (
    <>
      <section
        aria-label={words('import.drop')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`grid justify-items-center gap-3 rounded-lg border-2 border-dashed px-4 py-10 text-center ${
          isOver ? 'border-accent bg-selected' : 'border-line'
        }`}
      >
        <Icon name="layers" size={28} />
        <p className="font-medium">{words('import.drop')}</p>
        <p className="max-w-xl text-sm text-text-2">
          <Inline text={words('import.drop.hint')} />
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="primary" onClick={() => folder.current?.click()}>
            {words('import.folder')}
          </Button>
          <Button onClick={() => files.current?.click()}>{words('import.pick')}</Button>
        </div>
        <input
          ref={(input) => {
            folder.current = input
            if (input) input.webkitdirectory = true
          }}
          type="file"
          hidden
          aria-label={words('import.folder')}
          onChange={({ target }) => pick(target)}
        />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={words('import.pick')}
          onChange={({ target }) => pick(target)}
        />
      </section>
      {count !== undefined && (
        <p role="status" className="text-sm text-text-2">
          {words('import.reading', { n: count })}
        </p>
      )}
      <ReadProblem error={error} />
    </>
  )
}

function ReadProblem({ error }: { readonly error: unknown }) {
  const words = useWords()
  if (error instanceof Error && error.name === 'ArchiveError') {
    const { word } = error as ArchiveError
    return (
      <p role="alert" className="text-sm text-failed">
        {words(word)}
      </p>
    )
  }
  return <Problem error={error} />
}
