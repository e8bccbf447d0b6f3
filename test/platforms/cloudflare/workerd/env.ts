/** The bindings of wrangler.toml in the tests' workerd, and the tests' own, the database migrated. */

import { env as given } from 'cloudflare:workers'
import type {
  Bindings,
  Namespace,
  PartitionCalls,
} from '../../../../src/hosts/cloudflare/bindings/bindings.ts'
import { SCHEMA } from '../../../../src/hosts/sql/schema.ts'
import type { SqlStore } from '../../../../src/hosts/sql/store.ts'

export const env = given as unknown as Bindings & {
  readonly ROWS: Namespace<PartitionCalls & SqlStore & { count(table: string): number }>
  readonly HEARING: Namespace<PartitionCalls>
}

export async function migrate(): Promise<void> {
  await env.DB.batch(SCHEMA.map((sql) => env.DB.prepare(sql)))
}
