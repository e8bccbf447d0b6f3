/** The open file: its text in the editor, or why it is not opened, beside its tabs. */

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { refetchOffline } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, PollProblem } from '../kit/notice.tsx'
import { Code, Plain } from '../text/text.tsx'
import { type Content, readDefined, readRaw } from './content.ts'
import { fileDraftOf } from './drafts.ts'
import { FileVersions, FileVersionView } from './file-versions.tsx'
import { OpenFile } from './open-file.tsx'
import { definedBy } from './resources.ts'

import { MOST_BYTES, sizeText } from './text.ts'
import type { Address } from './use-address.ts'
import { FILES, useDefined, useFiles } from './use-files.ts'

interface Props {
  readonly path: string
  readonly layer: string
  readonly address: Address
}

export function FileView({ path, layer, address }: Props) {
  const words = useWords()
  const isRaw = useMay('config:raw')
  const { listing, error: listError } = useFiles(layer)
  const defined = useDefined(layer)
  const resources = definedBy(defined.data ?? [], path)
  const size = listing?.files.find((file) => file.path === path)?.size ?? 0
  const isTooLarge = size > MOST_BYTES
  const isReady = isRaw ? listing !== undefined || listError !== null : defined.data !== undefined
  const contentKey = [FILES, 'content', path, isRaw]
  const read = (): Promise<Content | null> =>
    isRaw ? readRaw(path) : readDefined(layer, resources)
  const query = useQuery({
    queryKey: contentKey,
    enabled: isReady && !isTooLarge,
    refetchInterval: refetchOffline,
    queryFn: read,
  })
  const { data: content, error, refetch } = query
  const close = (): void => address.open(undefined)
  if (isTooLarge) {
    return (
      <NotOpened path={path} onClose={close}>
        <p>{words('layers.large', { size: sizeText(size), most: sizeText(MOST_BYTES) })}</p>
        <p className="text-text-2">{words('layers.large.hint')}</p>
      </NotOpened>
    )
  }
  if (content === undefined) {
    return error ? (
      <NotOpened path={path} onClose={close}>
        <PollProblem error={error} hasData={false} onRetry={() => void refetch()} />
      </NotOpened>
    ) : (
      <Loading />
    )
  }
  if (content === null && !fileDraftOf(path)) {
    const isUnreadable = !isRaw && listing?.files.some((file) => file.path === path)
    return (
      <NotOpened path={path} onClose={close}>
        {isUnreadable ? (
          <Forbidden scope="config:raw" />
        ) : (
          <p>
            <Plain text={words(isRaw ? 'layers.gone' : 'layers.gone.or.raw', { path })} />
          </p>
        )}
        {isRaw && <DeletedVersions {...{ path, address }} />}
      </NotOpened>
    )
  }
  if (content && content.text === null && !fileDraftOf(path)) {
    return (
      <NotOpened path={path} onClose={close}>
        <p>{words('layers.binary', { size: sizeText(content.size) })}</p>
        <Code label="curl" text={downloadCommand(path)} />
      </NotOpened>
    )
  }
  return (
    <OpenFile
      // Another session has other rights, and another layer other findings.
      key={`${layer} ${path}`}
      {...{ path, layer, address, content, contentKey, read, resources }}
      defined={defined.data ?? []}
    />
  )
}

const downloadCommand = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const url = `${location.origin}/v1/files/${path.split('/').map(encodeURIComponent).join('/')}`
  return `curl ${url} -H "Authorization: Bearer $STRATA_API_KEY" -o ${name}`
}

interface NotOpenedProps {
  readonly path: string
  readonly onClose: () => void
  readonly children: ReactNode
}

function NotOpened({ path, onClose, children }: NotOpenedProps) {
  const words = useWords()
  return (
    <section
      aria-label={words('layers.file')}
      className="grid min-w-0 flex-1 content-start gap-3 overflow-y-auto p-4 text-sm"
    >
      <h2 className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">
        <Plain text={path} />
      </h2>
      {children}
      <p>
        <Button onClick={onClose}>{words('close')}</Button>
      </p>
    </section>
  )
}

/** Writes of a file that does not exist any more, and the text of one, which can be restored. */
function DeletedVersions({ path, address }: { readonly path: string; readonly address: Address }) {
  const { v } = address.search
  if (v === undefined) return <FileVersions {...{ path, address }} />
  const close = (): void => address.change({ v: undefined })
  return <FileVersionView key={v} {...{ path, id: v }} content={null} onClose={close} />
}
