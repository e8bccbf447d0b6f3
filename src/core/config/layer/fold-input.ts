/** Input of the fold over layers. */

import type { Policy } from '../../policy.ts'
import type { ParsedConfig } from '../server/file.ts'
import type { Bindings } from '../server/secret-binding.ts'
import type { Machine } from '../skill/gating.ts'
import type { AgentEntry, Diagnostic, LayerKind, Resolved } from '../types.ts'
import type { CompiledLayer } from './compile.ts'

export interface FoldInput {
  readonly builtin: readonly AgentEntry[]
  /** Base or role layer, followed by the repository layer, if any. */
  readonly layers: readonly CompiledLayer[]
  /** MCP servers of the run, which replace the servers of all layers. */
  readonly run: ServerSource | null
  readonly secrets: ReadonlySet<string>
  /** Hosts to which the deployment's secrets are bound. */
  readonly bindings: Bindings
  readonly allowStdio: boolean
  /** Machine that runs programs, if any. */
  readonly machine?: Machine | undefined
  /** Unavailable built-in tools, each with the requirement that would enable it. */
  readonly lacks?: Resolved['lacks']
  /** Explains why a URL is blocked; returns undefined if allowed. */
  readonly blocked: (url: string) => string | undefined
  /** Explains why a model reference is unknown; returns undefined if known. */
  readonly modelLack: (reference: string) => string | undefined
  /** Denials of the tenant's policy, which override its layers. */
  readonly policy: Pick<Policy, 'deny' | 'user_facing_tools'>
  /** Whether a layer is checked alone, so that missing definitions may be in other layers. */
  readonly alone?: boolean
  /** Findings from the selection of layers. */
  readonly diagnostics: readonly Diagnostic[]
}

/** File or request that defines servers. */
export interface ServerSource {
  readonly kind: LayerKind
  readonly layer: string
  /** Path below the layer; null for servers defined in a request. */
  readonly path: string | null
  readonly etag: string
  readonly parsed: ParsedConfig
  readonly legacy: boolean
}
