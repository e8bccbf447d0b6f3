/** Which of several places is a partition's: the same one for every process. */

import { sha256 } from '../../lib/digest.ts'

export const shardOf = (partition: string, shards: number): number =>
  shards === 1 ? 0 : Number.parseInt(sha256(partition).slice(0, 8), 16) % shards
