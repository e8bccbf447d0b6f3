/** Loads layers, the files of a layer, what they define, and the findings about the stored files. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, queries, refetchOffline } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { inputOf } from '../effective/state.ts'
import { RESOLVE } from '../effective/use-effective.ts'
import { type Finding, fileFindings, worstOf } from './findings.ts'
import { type Defined, definedIn } from './resources.ts'
import { choiceFor } from './state.ts'
import type { FileEntry } from './tree.ts'

const FRESH_MS = 10_000
const LAYER_PAGES = 10
const LAYERS_PER_PAGE = 100
const FILES_PER_PAGE = 1_000
/** Number of files of a layer that are listed. */
export const MOST_FILES = 20_000

/** First part of the keys of all queries of this page. */
export const FILES = 'layer files'

/** Requests everything again that a change of a file may change. */
export async function reloadFiles(): Promise<void> {
  await Promise.all(
    [FILES, RESOLVE, 'layers'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  )
}

export function useLayers() {
  return useQuery({
    queryKey: ['layers', 'all'],
    staleTime: FRESH_MS,
    refetchInterval: refetchOffline,
    enabled: useMay('layers:read'),
    queryFn: async () => {
      const layers = []
      let cursor: string | undefined
      for (let page = 0; page < LAYER_PAGES; page += 1) {
        const { data, next_cursor } = await api.layers.list({ limit: LAYERS_PER_PAGE, cursor })
        layers.push(...data)
        if (!next_cursor) return { layers, hasMore: false }
        cursor = next_cursor
      }
      return { layers, hasMore: true }
    },
  })
}

interface Listing {
  readonly files: readonly FileEntry[]
  readonly hasMore: boolean
}

async function listFiles(prefix: string): Promise<Listing> {
  const files: FileEntry[] = []
  let cursor: string | undefined
  do {
    const page = await api.files.list({ prefix, limit: FILES_PER_PAGE, cursor })
    files.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && files.length < MOST_FILES)
  return { files, hasMore: cursor !== undefined }
}

/** Agents, skills, and servers that a layer defines, with the files that define them. */
export function useDefined(layer: string) {
  const may = useMay('layers:read')
  return useQuery({
    queryKey: [FILES, 'defined', layer],
    staleTime: FRESH_MS,
    enabled: may && layer !== '',
    refetchInterval: refetchOffline,
    queryFn: async (): Promise<readonly Defined[]> => {
      const [agents, skills, servers] = await Promise.all([
        api.agents.list({ layer }),
        api.skills.list({ layer, include_disabled: 'true' }),
        api.mcpServers.list({ layer }),
      ])
      return definedIn(layer, { agents: agents.data, skills: skills.data, servers: servers.data })
    },
  })
}

/** Files of a layer: all with `config:raw`, otherwise those of agents, skills, and servers. */
export function useFiles(layer: string) {
  const isRaw = useMay('config:raw')
  const stored = useQuery({
    queryKey: [FILES, 'list', layer],
    staleTime: FRESH_MS,
    enabled: isRaw,
    refetchInterval: refetchOffline,
    queryFn: () => listFiles(layer),
  })
  const defined = useDefined(layer)
  const managed = useMemo((): Listing | undefined => {
    const files = defined.data?.flatMap((resource) => resource.files)
    return files && { files: uniqueByPath(files), hasMore: false }
  }, [defined.data])
  const { data, error, refetch } = isRaw
    ? stored
    : { data: managed, error: defined.error, refetch: defined.refetch }
  return { isRaw, listing: data, error, retry: () => void refetch() }
}

const uniqueByPath = (files: readonly FileEntry[]): readonly FileEntry[] => [
  ...new Map(files.map((file) => [file.path, file])).values(),
]

/** Findings about the stored files of a layer, by key of the file. */
function useStoredFindings(layer: string): ReadonlyMap<string, readonly Finding[]> | undefined {
  const may = useMay('layers:read')
  const choice = choiceFor(layer)
  const { data } = useQuery({
    queryKey: [RESOLVE, 'files', choice],
    staleTime: FRESH_MS,
    enabled: may && layer !== '',
    queryFn: () => api.layers.resolve(inputOf(choice)),
  })
  return useMemo(() => data && fileFindings(data), [data])
}

/** State of a file that its row shows. */
export interface FileState {
  readonly severity: 'warning' | 'error' | undefined
  readonly isOff: boolean
}

/** Returns the states of the files that have a finding or are switched off, by key of the file. */
export function useFileStates(layer: string): ReadonlyMap<string, FileState> {
  const findings = useStoredFindings(layer)
  const { data: defined } = useDefined(layer)
  return useMemo(() => {
    const off = (defined ?? []).filter(({ isOn }) => !isOn).map(({ path }) => path)
    const paths = new Set([...off, ...(findings?.keys() ?? [])])
    return new Map(
      [...paths].map((path) => {
        const severity = worstOf(findings?.get(path) ?? [])
        return [path, { severity, isOff: off.includes(path) }] as const
      }),
    )
  }, [defined, findings])
}
