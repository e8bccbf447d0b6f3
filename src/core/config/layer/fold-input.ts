/** The input of the fold over layers. */

import type { Policy } from '../../policy.ts'
import type { ParsedConfig } from '../server/file.ts'
import type { Bindings } from '../server/secret-binding.ts'
import type { Machine } from '../skill/gating.ts'
import type { AgentEntry, Diagnostic, LayerKind, Resolved } from '../types.ts'
import type { CompiledLayer } from './compile.ts'

export interface FoldInput {
  readonly builtin: readonly AgentEntry[]
  /** The base (or role) layer, then the repo layer, if any. */
  readonly layers: readonly CompiledLayer[]
  /** The run's MCP servers, which replace those of all layers. */
  readonly run: ServerSource | null
  readonly secrets: ReadonlySet<string>
  /** Hosts of bound secrets. */
  readonly bindings: Bindings
  readonly allowStdio: boolean
  /** The machine, if any. */
  readonly machine?: Machine | undefined
  /** Unavailable built-in tools, each with what would enable it. */
  readonly lacks?: Resolved['lacks']
  /** Explains why a URL is refused; undefined when it is allowed. */
  readonly blocked: (url: string) => string | undefined
  /** Explains why a model reference is unknown; undefined when it is known. */
  readonly modelLack: (reference: string) => string | undefined
  /** The tenant's denials, which override its layers. */
  readonly policy: Pick<Policy, 'deny' | 'user_facing_tools'>
  /** Whether a layer is checked by itself, and missing definitions may be in others. */
  readonly alone?: boolean
  /** Findings from the selection of layers. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A file or request that defines servers. */
export interface ServerSource {
  readonly kind: LayerKind
  readonly layer: string
  /** Path below the layer; null for servers from a request. */
  readonly path: string | null
  readonly etag: string
  readonly parsed: ParsedConfig
  readonly legacy: boolean
}
