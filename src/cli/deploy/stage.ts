/**
 * The configuration of one deployment on Cloudflare, made of wrangler.toml: what a stage has bears
 * its name (objects are its Worker's own), and the database's id is the account's. Nothing that is
 * tracked is changed.
 */

import { join, relative } from 'node:path'
import toml from '@iarna/toml'

/** The parts of wrangler.toml that name a deployment. */
interface WranglerToml extends toml.JsonMap {
  name: string
  assets: { binding: string; directory: string }
  d1_databases: {
    binding: string
    database_name: string
    database_id: string
    migrations_dir: string
  }[]
  r2_buckets: { binding: string; bucket_name: string }[]
  services: { binding: string; service: string }[]
}

export interface Stage {
  /** Absent: the one deployment of an account, whose things are all called `strata…`. */
  readonly stage: string | undefined
  /** Undefined: it is not known, as in a dry run, and stays as it stands. */
  readonly database: string | undefined
  /** Undefined: wrangler bundles the program. */
  readonly built?: BuiltWorker | undefined
}

/** A Worker that a build has bundled. */
export interface BuiltWorker {
  /** The folder of the configuration: paths in it are relative to that. */
  readonly folder: string
  /** The folder to which paths of the tracked configuration are relative. */
  readonly root: string
  readonly main: string
}

/** Points a configuration to the bundle, and leaves out how it was made. */
function pointToBundle(config: toml.JsonMap, { folder, main }: BuiltWorker): void {
  for (const name of ['alias', 'minify', 'keep_names']) delete config[name]
  config.main = relative(folder, main)
  config.no_bundle = true
}

/** The name of the Worker, its database and its bucket. */
export const nameOf = (stage: string | undefined): string =>
  stage === undefined ? 'strata' : `strata-${stage}`

/** Text for a wrangler.toml of its own. */
export function wranglerFor(tracked: string, { stage, database, built }: Stage): string {
  const config = toml.parse(tracked) as WranglerToml
  const name = nameOf(stage)
  const stagedName = (resource: string): string => resource.replace(/^strata/, name)
  config.name = name
  for (const d1 of config.d1_databases) {
    d1.database_name = stagedName(d1.database_name)
    if (database !== undefined) d1.database_id = database
  }
  for (const r2 of config.r2_buckets) r2.bucket_name = stagedName(r2.bucket_name)
  for (const worker of config.services) worker.service = stagedName(worker.service)
  if (built) {
    const path = (name: string): string => relative(built.folder, join(built.root, name))
    pointToBundle(config, built)
    config.assets.directory = path(config.assets.directory)
    for (const d1 of config.d1_databases) d1.migrations_dir = path(d1.migrations_dir)
  }
  return `# Made of wrangler.toml by strata deploy cloudflare; not to be edited.\n\n${toml.stringify(config)}`
}

/** The second Worker's, made of infra/sandbox.toml: only its name is a stage's. */
export function sandboxFor(tracked: string, { stage, built }: Omit<Stage, 'database'>): string {
  const config = toml.parse(tracked)
  config.name = `${nameOf(stage)}-sandbox`
  if (built) pointToBundle(config, built)
  return `# Made of sandbox.toml by strata deploy cloudflare; not to be edited.\n\n${toml.stringify(config)}`
}

/** The id of the database of this name, from what `wrangler d1 list --json` prints. */
export function databaseIn(listing: string, name: string): string | undefined {
  // A notice may stand before the list.
  const databases = JSON.parse(listing.slice(listing.indexOf('['))) as readonly {
    readonly name?: unknown
    readonly uuid?: unknown
  }[]
  const uuid = databases.find((database) => database.name === name)?.uuid
  return typeof uuid === 'string' ? uuid : undefined
}
