/** The plan of an import: for each file where it goes, and whether it is new, replaces, or is left. */

import { keyPath } from '../../../lib/key.ts'
import { holdsKey, secretName } from '../../../lib/secret-file.ts'
import type { Entry } from './paths.ts'

/** One file of the folder; it is read when it is needed. */
export interface Source {
  /** Below the folder. */
  readonly path: string
  readonly size: number
  read(): Promise<Uint8Array>
}

export type Verdict = 'new' | 'over' | 'same' | 'out'

export interface Planned {
  readonly source: Source
  /** The key that is written. */
  readonly path: string
  readonly verdict: Verdict
  /** Why it is left out, as a sentence of the key rules or a reason of ours. */
  readonly why?: Why
  /** Of what is there, for `If-Match`. */
  readonly etag?: string
}

export type Why =
  | { readonly kind: 'large' | 'git' | 'place' | 'twice' }
  | { readonly kind: 'secret' | 'key'; readonly text: string }

interface Input {
  readonly sources: readonly Source[]
  /** The prefix of a layer; empty: the folder has layers itself. */
  readonly target: string
  readonly existing: ReadonlyMap<string, Entry>
  readonly mostBytes: number
  /** Where the files of a library go; absent: as they lie. */
  readonly arranged?: ReadonlyMap<string, string> | undefined
}

/** Of files with the same size as what is there only their bytes tell: `over` until they are read. */
export function planOf({ sources, target, existing, mostBytes, arranged }: Input): Planned[] {
  const seen = new Set<string>()
  return sources.map((source) => {
    const below = arranged ? arranged.get(source.path) : source.path
    const path = `${target}${below ?? source.path}`
    const isLost = below === undefined || (target === '' && !LAYERS.test(path))
    const why = isLost ? ({ kind: 'place' } as const) : refusal(source, path, mostBytes)
    if (why) return { source, path, verdict: 'out', why }
    if (seen.has(path)) return { source, path, verdict: 'out', why: { kind: 'twice' } }
    seen.add(path)
    const there = existing.get(path)
    if (!there) return { source, path, verdict: 'new' }
    return { source, path, verdict: 'over', etag: `"${there.etag}"` }
  })
}

function refusal({ path: from, size }: Source, path: string, mostBytes: number): Why | undefined {
  if (/(?:^|\/)\.git\//.test(from)) return { kind: 'git' }
  const secret = secretName(from)
  if (secret) return { kind: 'secret', text: secret }
  if (size > mostBytes) return { kind: 'large' }
  const key = keyPath(path)
  return key.ok ? undefined : { kind: 'key', text: key.error }
}

/** The plan once the bytes are known: private keys stay out, and what is there already is the same. */
export function judged(planned: Planned, bytes: Uint8Array, there?: Uint8Array): Planned {
  if (planned.verdict === 'out') return planned
  if (holdsKey(bytes)) {
    const why = { kind: 'secret', text: 'it holds a private key' } as const
    return { ...planned, verdict: 'out', why }
  }
  return there && isSame(bytes, there) ? { ...planned, verdict: 'same' } : planned
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

const LAYERS = /^(?:base|roles\/[^/]+|repos\/[^/]+)\//

/** Folders come with their own name in front of each path: the layer is what lies below. */
export function unwrapped(sources: readonly Source[]): Source[] {
  const [first] = sources
  const top = first?.path.includes('/') ? `${first.path.split('/')[0]}/` : ''
  const isWrapped = top !== '' && sources.every(({ path }) => path.startsWith(top))
  if (!isWrapped || LAYERS.test(first!.path) || top.startsWith('.')) return [...sources]
  return sources.map((source) => ({ ...source, path: source.path.slice(top.length) }))
}

/** The target that fits these files: none when they bring layers of their own. */
export const targetFor = (sources: readonly Source[]): string =>
  sources.some(({ path }) => LAYERS.test(path)) ? '' : 'base/'
