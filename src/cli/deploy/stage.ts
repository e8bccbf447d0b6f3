/**
 * Builds the configuration of a Cloudflare deployment from wrangler.toml. Resources are named after
 * the stage (Durable Objects belong to the Worker), and the database ID is that of the account.
 * Tracked files stay unchanged.
 */

import { join, relative } from 'node:path'
import toml from '@iarna/toml'

/** Fields of wrangler.toml that differ between deployments. */
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
  /**
   * Name of the stage; absent for the account's only deployment, whose resources are called
   * `strata…`.
   */
  readonly stage: string | undefined
  /** Database ID; if undefined, as in a dry run, the ID in the tracked file is kept. */
  readonly database: string | undefined
  /** Built Worker bundle; if undefined, wrangler bundles the program. */
  readonly built?: BuiltWorker | undefined
}

/** Location of a built Worker bundle. */
export interface BuiltWorker {
  /** Folder of the configuration file; paths in the file are relative to this folder. */
  readonly folder: string
  /** Base folder of the relative paths in the tracked configuration. */
  readonly root: string
  readonly main: string
}

/** Points a Worker configuration to the built bundle and removes build instructions. */
function pointToBundle(config: toml.JsonMap, { folder, main }: BuiltWorker): void {
  for (const name of ['alias', 'minify', 'keep_names']) delete config[name]
  config.main = relative(folder, main)
  config.no_bundle = true
}

/** Returns the name shared by the Worker, its database, and its bucket. */
export const nameOf = (stage: string | undefined): string =>
  stage === undefined ? 'strata' : `strata-${stage}`

/** Returns the text of a deployment's wrangler.toml. */
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
  return `# Generated from wrangler.toml by strata deploy cloudflare; do not edit.\n\n${toml.stringify(config)}`
}

/**
 * Returns the configuration of the sandbox Worker: infra/sandbox.toml with the name of the stage.
 */
export function sandboxFor(tracked: string, { stage, built }: Omit<Stage, 'database'>): string {
  const config = toml.parse(tracked)
  config.name = `${nameOf(stage)}-sandbox`
  if (built) pointToBundle(config, built)
  return `# Generated from sandbox.toml by strata deploy cloudflare; do not edit.\n\n${toml.stringify(config)}`
}

/** Returns the ID of the named database in the output of `wrangler d1 list --json`. */
export function databaseIn(listing: string, name: string): string | undefined {
  // wrangler may print a notice before the JSON list.
  const databases = JSON.parse(listing.slice(listing.indexOf('['))) as readonly {
    readonly name?: unknown
    readonly uuid?: unknown
  }[]
  const uuid = databases.find((database) => database.name === name)?.uuid
  return typeof uuid === 'string' ? uuid : undefined
}
