/** The report of an import, and the writing after it: one file after the other, nothing lost. */

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, noteProblem, ProblemError } from '../../app/api.ts'
import { say } from '../../app/words.ts'
import type { Finding } from './check.ts'
import { FILES, listed, RESOLVED, textOf } from './files.ts'
import { judged, type Planned, planOf, type Source } from './import-plan.ts'

export interface Reported extends Planned {
  readonly findings: readonly Finding[]
}

interface ReportInput {
  readonly sources: readonly Source[]
  readonly target: string
  readonly arrange: boolean
  readonly mostBytes: number
  readonly onProgress: (done: number, total: number) => void
}

const CHECKED = /\.(?:md|toml|json|ya?ml)$/i

/** Reads everything, compares it with what is there, and writes nothing. */
export async function reportOf(input: ReportInput): Promise<Reported[]> {
  const { sources, target, arrange, mostBytes, onProgress } = input
  const { entries } = await listed()
  const existing = new Map(entries.map((entry) => [entry.path, entry]))
  const arranged = arrange ? await arrangedOf(sources, mostBytes) : undefined
  const plan = planOf({ sources, target, existing, mostBytes, arranged })
  const { findingsOf } = await import('./check.ts')
  const known = [...new Set([...existing.keys(), ...plan.map(({ path }) => path)])]
  const report: Reported[] = []
  for (const planned of plan) {
    if (planned.verdict === 'out') {
      report.push({ ...planned, findings: [] })
      continue
    }
    const bytes = await planned.source.read()
    const isLike = existing.get(planned.path)?.size === bytes.length
    const there = isLike ? (await api.files.get(planned.path))?.bytes : undefined
    const text = CHECKED.test(planned.path) ? textOf(bytes) : undefined
    const findings = text === undefined ? [] : findingsOf(planned.path, text, known)
    report.push({ ...judged(planned, bytes, there), findings })
    onProgress(report.length, plan.length)
  }
  return report
}

async function arrangedOf(sources: readonly Source[], mostBytes: number) {
  const { arrangedPaths } = await import('./arrange.ts')
  const read = new Map<string, Uint8Array>()
  for (const { path, size, read: bytes } of sources)
    if (size <= mostBytes && CHECKED.test(path)) read.set(path, await bytes())
  const known = sources.map(({ path }) => path)
  return arrangedPaths(known, (path) => read.get(path) ?? new Uint8Array())
}

export type State = 'writing' | 'written' | { readonly failed: string }

const sentence = (error: unknown): string => {
  if (error instanceof ProblemError && error.status === 412) return say('layers.out.changed')
  return error instanceof Error ? error.message : String(error)
}

export function useWriting() {
  const cache = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, State>>(new Map())
  const [busy, setBusy] = useState(false)
  const stopped = useRef(false)
  const set = (path: string, state: State): void =>
    setStates((before) => new Map(before).set(path, state))
  const write = async (planned: readonly Planned[]): Promise<void> => {
    stopped.current = false
    setBusy(true)
    for (const { path, source, etag } of planned) {
      if (stopped.current) break
      set(path, 'writing')
      try {
        // Only what the report showed is replaced.
        const when = etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }
        await api.files.put(path, await source.read(), when)
        set(path, 'written')
      } catch (error) {
        noteProblem(error)
        set(path, { failed: sentence(error) })
      }
    }
    setBusy(false)
    for (const queryKey of [FILES, RESOLVED]) await cache.invalidateQueries({ queryKey })
  }
  const stop = (): void => {
    stopped.current = true
  }
  const forget = (): void => setStates(new Map())
  return { states, busy, write, stop, forget }
}

/** Handed over by the tree of files, on which a folder was dropped. */
let handed: readonly FileSystemEntry[] | undefined

export const handOver = (entries: readonly FileSystemEntry[]): void => {
  handed = entries
}
export function takeHanded(): readonly FileSystemEntry[] | undefined {
  const taken = handed
  handed = undefined
  return taken
}
