/** Input of the fold that merges layers. */

import type { Policy } from '../../policy.ts'
import type { ParsedConfig } from '../server/file.ts'
import type { Bindings } from '../server/secret-binding.ts'
import type { Machine } from '../skill/gating.ts'
import type { AgentEntry, Diagnostic, LayerKind, Resolved } from '../types.ts'
import type { CompiledLayer } from './compile.ts'

export interface FoldInput {
  readonly builtin: readonly AgentEntry[]
  /** Base or role layer, followed by the repository layer if there is one. */
  readonly layers: readonly CompiledLayer[]
  /** MCP servers that the run's request defines, which replace the servers of all layers. */
  readonly run: ServerSource | null
  readonly secrets: ReadonlySet<string>
  /** Hosts to which each of the deployment's secrets is bound. */
  readonly bindings: Bindings
  readonly allowStdio: boolean
  /** Machine that runs programs; absent if the platform has none. */
  readonly machine?: Machine | undefined
  /** Unavailable built-in tools, each with the requirement that would enable it. */
  readonly lacks?: Resolved['lacks']
  /** Function that explains why a URL is blocked, or returns undefined if the URL is allowed. */
  readonly blocked: (url: string) => string | undefined
  /**
   * Function that explains why a model reference is unknown, or returns undefined if it is known.
   */
  readonly modelLack: (reference: string) => string | undefined
  /** Denials and user-facing tools of the tenant's policy, which override its layers. */
  readonly policy: Pick<Policy, 'deny' | 'user_facing_tools'>
  /** Whether one layer is checked alone, so that missing definitions may be in other layers. */
  readonly alone?: boolean
  /** Findings reported while the layers were selected. */
  readonly diagnostics: readonly Diagnostic[]
}

/** File or request that defines MCP servers. */
export interface ServerSource {
  readonly kind: LayerKind
  readonly layer: string
  /** Path of the file below its layer; null for servers defined in a request. */
  readonly path: string | null
  readonly etag: string
  readonly parsed: ParsedConfig
  readonly legacy: boolean
}
