/**
 * Lanes on Cloudflare: which lane admits a pass, and which object counts the lane's slots. A run
 * requests a slot before its start and returns the slot when idle. A started run continues without
 * a request, because it has results (PROTOCOL.md rule 32). All other passes are short and need no
 * slot, except deliveries: they wait for external servers and have a separate lane.
 */

import type { Lane, Wake } from '../../../ports/world.ts'
import type { CommonOptions } from '../../shared/options.ts'

export type Pool = Lane | 'delivery'

/**
 * Maximum number of slots per lane object; an object handles about a thousand calls per second, and
 * each pass makes two.
 */
const SHARD = 250

/** Returns the lane that must admit this pass; undefined if the pass needs no slot. */
export function poolOf({ partition, lane, started }: Wake): Pool | undefined {
  const kind = partition.split('/')[1]
  if (kind === 'delivery') return 'delivery'
  return kind === 'run' && !started ? lane : undefined
}

/** Returns the object that counts this partition's slots, and the object's number of slots. */
export function laneOf(
  pool: Pool,
  partition: string,
  widths: CommonOptions['widths'],
): { readonly name: string; readonly width: number } {
  const shards = Math.ceil(widths[pool] / SHARD)
  const shard = hashOf(partition) % shards
  // The widths of all shards add up to the lane's width.
  const width = Math.floor(widths[pool] / shards) + (shard < widths[pool] % shards ? 1 : 0)
  return { name: `${pool}/${shard}`, width }
}

/** Spreads names evenly over the shards by FNV-1a; no other property of the hash is required. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
