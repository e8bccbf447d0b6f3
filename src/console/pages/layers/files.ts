/** The files of the tenant, as the API lists and gives them. */

import { useQuery } from '@tanstack/react-query'
import { api, ProblemError, queries, type Schemas } from '../../app/api.ts'
import type { Entry } from './paths.ts'

export const FILES = ['files'] as const
export const RESOLVED = ['resolved'] as const

const PAGE = 1_000
/** A tree of more is no help to anybody; the page says that there are more. */
const MOST = 20_000

export interface Listing {
  readonly entries: readonly Entry[]
  readonly more: boolean
}

export async function listed(): Promise<Listing> {
  const entries: Entry[] = []
  let cursor: string | undefined
  do {
    const page = await api.files.list({ prefix: undefined, limit: PAGE, cursor } as never)
    entries.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && entries.length < MOST)
  return { entries, more: cursor !== undefined }
}

export const useFiles = () => useQuery({ queryKey: [...FILES, 'list'], queryFn: listed })

/** As the list was read last; nothing is asked. */
export const knownPaths = (): readonly string[] =>
  queries.getQueryData<Listing>([...FILES, 'list'])?.entries.map(({ path }) => path) ?? []

export interface Content {
  /** Undefined: it is no text. */
  readonly text: string | undefined
  readonly size: number
  /** As `If-Match` takes it. */
  readonly etag: string
}

/** Null: there is no such file. */
export async function contentOf(path: string): Promise<Content | null> {
  try {
    const file = await api.files.get(path)
    if (!file) return null
    return { text: textOf(file.bytes), size: file.bytes.length, etag: file.etag ?? '' }
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export const contentKey = (path: string) => [...FILES, 'content', path] as const

/** The most bytes that the API takes for a file; undefined until it has said so. */
export function useMostBytes(): number | undefined {
  const { data } = useQuery({
    queryKey: ['limits'],
    queryFn: async () =>
      (await api.limits.list()) as unknown as Readonly<Record<string, Schemas['Limit']>>,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.file_body_bytes?.value
}
