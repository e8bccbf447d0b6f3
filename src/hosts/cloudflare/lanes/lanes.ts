/**
 * The lanes of the Cloudflare home: which one admits a pass, and on which object it is counted. A
 * run asks before it starts and gives its place back when it rests; one that has started goes on
 * without asking, for it holds results (protocol rule 32). Everything else is short and never
 * asks, but deliveries wait for others' servers and have a lane of their own.
 */

import type { Lane, Wake } from '../../../ports/world.ts'
import type { CommonOptions } from '../../shared/options.ts'

export type Pool = Lane | 'delivery'

/** Places of one object: it answers about a thousand calls a second, a pass being two. */
const SHARD = 250

/** The lane that must admit this pass; undefined: none. */
export function poolOf({ partition, lane, started }: Wake): Pool | undefined {
  const kind = partition.split('/')[1]
  if (kind === 'delivery') return 'delivery'
  return kind === 'run' && !started ? lane : undefined
}

/** The object that counts the places of this partition, and how many it has. */
export function laneOf(
  pool: Pool,
  partition: string,
  widths: CommonOptions['widths'],
): { readonly name: string; readonly width: number } {
  const shards = Math.ceil(widths[pool] / SHARD)
  const shard = hashOf(partition) % shards
  // Shards share out the width to the last place.
  const width = Math.floor(widths[pool] / shards) + (shard < widths[pool] % shards ? 1 : 0)
  return { name: `${pool}/${shard}`, width }
}

/** FNV-1a: spreads names evenly; nothing rests on it but that. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
