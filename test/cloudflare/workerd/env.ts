/** The bindings of wrangler.toml in the tests' workerd, the database migrated. */

import { env as given } from 'cloudflare:workers'
import type { Bindings } from '../../../src/hosts/cloudflare/bindings.ts'
import { SCHEMA } from '../../../src/hosts/sql/schema.ts'

export const env = given as unknown as Bindings

export async function migrate(): Promise<void> {
  await env.DB.batch(SCHEMA.map((sql) => env.DB.prepare(sql)))
}
