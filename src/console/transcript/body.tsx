/** Full texts of a run's log, with the files they refer to. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { type LogText, previewOf } from '../log/shape.ts'
import { amount } from '../text/format.ts'
import { Plain } from '../text/text.tsx'

/** Returns a log text: for a large text, the preview until the full text has loaded. */
export function useWhole(text: LogText, run: string) {
  const isPreview = typeof text !== 'string'
  const query = useQuery({
    queryKey: ['text', run, isPreview ? text.digest : ''],
    enabled: isPreview && run !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api.runs.text(run, isPreview ? text.digest : ''),
  })
  const content = isPreview ? query.data : text
  const isMissing = isPreview && query.isError
  return { text: content ?? previewOf(text), isMissing, isLoading: isPreview && query.isLoading }
}

export function Cut({ text, isMissing }: { readonly text: LogText; readonly isMissing: boolean }) {
  const words = useWords()
  if (!isMissing || typeof text === 'string') return null
  return <p className="text-xs text-text-3">{words('chat.cut', { bytes: amount(text.bytes) })}</p>
}

type Media = NonNullable<Exclude<LogText, string>['media']>[number]

export function MediaOf({ text, run }: { readonly text: LogText; readonly run: string }) {
  const media: readonly Media[] = typeof text === 'string' ? [] : (text.media ?? [])
  if (media.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2 pt-1">
      {media.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never change.
        <li key={`${part.digest}-${index}`}>
          {part.media_type.startsWith('image/') ? (
            <Picture run={run} media={part} />
          ) : (
            <Chip name={part.name ?? part.media_type} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Picture({ run, media }: { readonly run: string; readonly media: Media }) {
  const { digest, media_type, name } = media
  const { data } = useQuery({
    queryKey: ['media', run, digest],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api.runs.media(run, digest),
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!data) return
    const objectUrl = URL.createObjectURL(
      new Blob([data as Uint8Array<ArrayBuffer>], { type: media_type }),
    )
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [data, media_type])
  if (!url) return <Chip name={name ?? media_type} />
  return (
    <img src={url} alt={name ?? ''} className="max-h-48 max-w-full rounded-lg border border-line" />
  )
}

export function Chip({ name }: { readonly name: string }) {
  return (
    <span className="inline-flex max-w-64 items-center gap-1.5 rounded-md border border-line bg-canvas px-2 py-0.5 text-xs">
      <Icon name="file" size={14} />
      <span className="truncate">
        <Plain text={name} />
      </span>
    </span>
  )
}
