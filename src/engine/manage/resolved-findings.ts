/** Findings about a written file that appear only once its layers are resolved. */

import { warning } from '../../core/config/diagnostic.ts'
import { DEFAULT_BASE } from '../../core/config/layer/select.ts'
import type { Diagnostic, LayerSelection } from '../../core/config/types.ts'
import { resolveLayers } from '../layers/resolve.ts'
import type { Listings } from '../layers/stored-listings.ts'
import type { LayerRef, OperationContext } from './place.ts'

interface WrittenFile {
  readonly kind: 'agent' | 'skill' | 'server'
  readonly name: string
  /** Findings about the written file alone. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Adds the warnings about a resource that a run with this layer would get. Reuses `listings` made
 * after the write.
 */
export async function withResolved(
  { world, tenant }: OperationContext,
  place: LayerRef,
  { kind, name, warnings }: WrittenFile,
  listings?: Listings,
): Promise<readonly Diagnostic[]> {
  const reads = listings ? { listings } : {}
  const resolved = await resolveLayers(world, tenant, selectionOf(place), reads)
  if (!resolved.ok) return warnings
  const { records, missing_secrets, unavailable } = resolved.value
  const ofFiles = records
    .filter((record) => record.kind === kind && record.layer === place.prefix && record.id === name)
    .flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'warning'))
  const ofServers =
    kind !== 'server'
      ? []
      : [
          ...unavailable
            .filter((server) => server.name === name && server.code !== 'disabled')
            .map(({ code, message }) => warning(code, message)),
          ...missing_secrets
            .filter(({ server }) => server === name)
            .map((secret) => warning('missing_secret', `secret ${secret.name} not found`)),
        ]
  const each = new Map(
    [...warnings, ...ofFiles, ...ofServers].map((finding) => [
      `${finding.code} ${finding.message}`,
      finding,
    ]),
  )
  return [...each.values()]
}

/** Returns the selection of a layer together with the base layer below it. */
function selectionOf({ kind, prefix }: LayerRef): LayerSelection {
  if (prefix === DEFAULT_BASE) return {}
  return kind === 'role' ? { role: prefix.split('/')[1] } : { repo_dir: prefix }
}
