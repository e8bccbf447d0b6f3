/** A text of a log: the whole of it, also where the log has the beginning only; and its files. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { wholeIn } from '../../chat/history.ts'
import { type Body, beginningOf } from '../../chat/shape.ts'
import { Icon } from '../../ui/icons.tsx'
import { amount } from '../../ui/text.tsx'

/** Its text, and whether more of it is on its way or cannot be had. */
export function useWhole(body: Body, run: string) {
  const isPart = typeof body !== 'string'
  const found = useQuery({
    queryKey: ['transcript', run, isPart ? body.digest : ''],
    enabled: isPart,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => wholeIn((await api.runs.transcript(run)).data, body) ?? null,
  })
  const whole = isPart ? found.data : body
  const missing = isPart && (found.isError || found.data === null)
  return { text: whole ?? beginningOf(body), missing }
}

export function Cut({ body, missing }: { readonly body: Body; readonly missing: boolean }) {
  const words = useWords()
  if (!missing || typeof body === 'string') return null
  return (
    <p className="mt-1 text-xs text-muted">{words('chat.cut', { bytes: amount(body.bytes) })}</p>
  )
}

interface Media {
  readonly media_type: string
  readonly name?: string
  readonly bytes: number
  readonly digest: string
}

export function MediaOf({ body, run }: { readonly body: Body; readonly run: string }) {
  const media: readonly Media[] = typeof body === 'string' ? [] : (body.media ?? [])
  if (media.length === 0) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {media.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes.
        <li key={`${one.digest}-${index}`}>
          {one.media_type.startsWith('image/') ? (
            <Picture run={run} media={one} />
          ) : (
            <Chip name={one.name ?? one.media_type} />
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
    const made = URL.createObjectURL(
      new Blob([data as Uint8Array<ArrayBuffer>], { type: media_type }),
    )
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data, media_type])
  if (!url) return <Chip name={name ?? media_type} />
  return (
    <img src={url} alt={name ?? ''} className="max-h-48 max-w-full rounded-lg border border-line" />
  )
}

export function Chip({ name }: { readonly name: string }) {
  return (
    <span className="inline-flex max-w-64 items-center gap-1.5 rounded-lg border border-line bg-surface px-2 py-1 text-xs">
      <Icon name="file" size={14} />
      <span className="truncate">{name}</span>
    </span>
  )
}
