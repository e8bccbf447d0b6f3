/** The input of the fold over layers. */

import type { Policy } from '../../policy.ts'
import type { ParsedConfig } from '../server/file.ts'
import type { Bindings } from '../server/secret-binding.ts'
import type { Machine } from '../skill/gating.ts'
import type { AgentEntry, Diagnostic, LayerKind, Resolved } from '../types.ts'
import type { CompiledLayer } from './compile.ts'

export interface FoldInput {
  readonly builtin: readonly AgentEntry[]
  /** The base (or role) layer, then the repo layer when there is one. */
  readonly layers: readonly CompiledLayer[]
  /** The run's own MCP servers: then no layer's servers count. */
  readonly run: ServerSource | null
  readonly secrets: ReadonlySet<string>
  /** Hosts of secrets that are bound. */
  readonly bindings: Bindings
  readonly allowStdio: boolean
  /** Absent: there is none. */
  readonly machine?: Machine | undefined
  /** Tools of ours that the deployment cannot perform, each with what would bring it. */
  readonly lacks?: Resolved['lacks']
  /** Why a URL is refused before it is called, or undefined. */
  readonly blocked: (url: string) => string | undefined
  /** Why the deployment does not know a model reference, as a sentence; undefined: it does. */
  readonly modelLack: (reference: string) => string | undefined
  /** The tenant's denials, whatever its layers say. */
  readonly policy: Pick<Policy, 'deny' | 'user_facing_tools'>
  /** A layer without those that it is used with; what it does not define may be defined there. */
  readonly alone?: boolean
  /** Found while the layers were chosen. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A file (or request) that defines servers. */
export interface ServerSource {
  readonly kind: LayerKind
  readonly layer: string
  /** Below the layer; null when the servers came with a request. */
  readonly path: string | null
  readonly etag: string
  readonly parsed: ParsedConfig
  readonly legacy: boolean
}
