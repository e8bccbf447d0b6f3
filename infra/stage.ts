/**
 * The configuration of one deployment on Cloudflare, made of wrangler.toml: what a stage has bears
 * its name (objects are its Worker's own), and the database's id is the account's. Nothing that is
 * tracked is changed.
 */

import toml from '@iarna/toml'

/** Of wrangler.toml, what a deployment names. */
interface WranglerToml extends toml.JsonMap {
  name: string
  d1_databases: { binding: string; database_name: string; database_id: string }[]
  r2_buckets: { binding: string; bucket_name: string }[]
  services: { binding: string; service: string }[]
}

export interface Stage {
  /** Absent: the one deployment of an account, whose things are all called `strata…`. */
  readonly stage: string | undefined
  /** Undefined: it is not known, as in a dry run, and stays as it stands. */
  readonly database: string | undefined
}

/** The name of the Worker, its database and its bucket. */
export const nameOf = (stage: string | undefined): string =>
  stage === undefined ? 'strata' : `strata-${stage}`

/** Text for a wrangler.toml of its own. */
export function wranglerFor(tracked: string, { stage, database }: Stage): string {
  const config = toml.parse(tracked) as WranglerToml
  const name = nameOf(stage)
  const own = (one: string): string => one.replace(/^strata/, name)
  config.name = name
  for (const d1 of config.d1_databases) {
    d1.database_name = own(d1.database_name)
    if (database !== undefined) d1.database_id = database
  }
  for (const r2 of config.r2_buckets) r2.bucket_name = own(r2.bucket_name)
  for (const worker of config.services) worker.service = own(worker.service)
  return `# Made of wrangler.toml by npm run deploy:cloudflare; not to be edited.\n\n${toml.stringify(config)}`
}

/** The second Worker's, made of infra/sandbox.toml: only its name is a stage's. */
export function sandboxFor(tracked: string, stage: string | undefined): string {
  const config = toml.parse(tracked)
  config.name = `${nameOf(stage)}-sandbox`
  return `# Made of sandbox.toml by npm run deploy:cloudflare; not to be edited.\n\n${toml.stringify(config)}`
}

/** The id of the database of this name, from what `wrangler d1 list --json` prints. */
export function databaseIn(listed: string, name: string): string | undefined {
  // A notice may stand before the list.
  const found = JSON.parse(listed.slice(listed.indexOf('['))) as readonly {
    readonly name?: unknown
    readonly uuid?: unknown
  }[]
  const uuid = found.find((one) => one.name === name)?.uuid
  return typeof uuid === 'string' ? uuid : undefined
}
