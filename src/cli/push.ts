/**
 * `strata push <dir> <prefix>`: makes the files below a prefix equal to a folder and sends only
 * differences. Files of different sizes differ. Files of the same size are compared by ETag: on S3
 * and R2 the MD5, on Node the value cached on this machine. Without either, the file is downloaded
 * and compared. Excluded files are never sent.
 */

import { createHash } from 'node:crypto'
import { type components, ProblemError, type Strata } from '../client/index.ts'
import { checkListing } from '../core/config/layer/folder-check.ts'
import { addressOf, clientOf, sentenceOf } from './api.ts'
import { type SentBefore, sentBefore } from './etag-record.ts'
import type { Folder } from './folder.ts'
import { type Listing, listingOf } from './listing.ts'
import { progressOf } from './progress.ts'
import { type Checked, loadable, selectFiles, withhold } from './push-files.ts'
import { namesModel, tellUnknownModels } from './push-models.ts'
import { PushReport } from './push-report.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

export interface PushOptions {
  readonly dir: string
  readonly prefix: string
  /** Patterns of files to send even if they are ignored or look like a secret. */
  readonly include?: readonly string[]
  /** Whether to delete files on the server that the folder does not contain. */
  readonly delete?: boolean
  readonly dryRun?: boolean
  /** Whether to allow a prefix that is not a layer and, with `delete`, an empty folder. */
  readonly force?: boolean
  /** Whether to print findings and counts as JSON, one object per line. */
  readonly json?: boolean
  /** Notes already printed by earlier pushes of the folder; new notes are added. */
  readonly notesBefore?: Set<string>
}

/** Number of concurrent requests: at 80 ms each, 2,000 files take under 5 seconds. */
const AT_ONCE = 128
const LAYER = /^(?:base|roles\/[^/]+|repos\/[^/]+)$/

type Remote = components['schemas']['File']

interface Work {
  readonly strata: Strata
  readonly terminal: Terminal
  readonly report: PushReport
  readonly options: PushOptions
  /** Target prefix without a trailing slash. */
  readonly base: string
  readonly folder: Folder
  readonly checked: Checked
  readonly listing: Listing
  readonly remote: ReadonlyMap<string, Remote>
  readonly before: SentBefore
  /** Paths of the pushed agent files that name a model. */
  readonly modelPaths: Set<string>
  readonly count: { sent: number; deleted: number; same: number; refused: number }
}

/**
 * Returns the exit code. A file that the server rejects or that cannot be read is reported and does
 * not block the others; the code is then 1. As in `strata check`, the code is also 1 if a link is
 * excluded or no run reads a file's instructions (AGENTS.md).
 */
export async function push(terminal: Terminal, options: PushOptions): Promise<number> {
  const base = options.prefix.replace(/\/+$/, '')
  if (!LAYER.test(base) && options.force !== true) throw noLayer(base)
  const { url, apiKey } = addressOf(terminal.env)
  const strata = clientOf(terminal.env)
  const listing = listingOf(options.dir, options.include)
  // Listing the server's files first reports a rejected key before any finding about a file.
  const remote = await listRemote(strata, base)
  const report = new PushReport(terminal, options.json === true, options.notesBefore)
  const { records } = checkListing(listing, { loose: false })
  const checked = new Map(records.map((record) => [record.layer + record.path, record]))
  const folder = loadable(selectFiles(listing, report), checked, {
    report,
    force: options.force === true,
  })
  if (options.delete && folder.files.length === 0 && options.force !== true) {
    throw new WrongUse(
      `${options.dir} has no files, so --delete would empty ${base}/; use --force to empty it`,
    )
  }
  const sentFiles = sentBefore(terminal.env, [url, `Bearer ${apiKey}`, base])
  const count = { sent: 0, deleted: 0, same: 0, refused: 0 }
  const work: Work = {
    ...{
      strata,
      terminal,
      report,
      options,
      base,
      folder,
      checked,
      listing,
      remote,
      before: sentFiles,
      count,
    },
    modelPaths: new Set(),
  }
  try {
    await each(work, 'push', folder.files, sendIfOther)
    const onServerAlone = surplus(work)
    if (options.delete) await each(work, 'delete', onServerAlone, remove)
    else if (onServerAlone.length > 0) report.note(describeSurplus(work, onServerAlone))
    if (LAYER.test(base)) await tellUnknownModels(work)
  } finally {
    if (!options.dryRun) sentFiles.keep()
  }
  const { sent: pushed, same: unchanged, deleted, refused: refusals } = count
  const counts = { prefix: `${base}/`, pushed, unchanged, deleted, refused: refusals }
  report.end(summary(work), { ...counts, dry_run: options.dryRun === true })
  return refusals === 0 && report.unread === 0 ? 0 : 1
}

const noLayer = (base: string): WrongUse =>
  new WrongUse(
    `${base === '' ? 'an empty prefix' : `${base}/`} is not a layer (base, roles/<role>, ` +
      'repos/<name>), so no run would read it; use --force to send it anyway',
  )

function describeSurplus({ base, options }: Work, paths: readonly string[]): string {
  const [first] = paths
  const count = paths.length === 1 ? '' : ` and ${paths.length - 1} more`
  return (
    `on the server but not in ${options.dir}: ${first}${count}; to delete them, run ` +
    `strata push ${options.dir} ${base} --delete`
  )
}

/** Returns every remote file below the prefix, by relative path. */
async function listRemote(strata: Strata, base: string): Promise<Map<string, Remote>> {
  const files = new Map<string, Remote>()
  for await (const file of strata.files.list({ prefix: `${base}/`, limit: 1000 }))
    files.set(file.path.slice(base.length + 1), file)
  return files
}

/** Applies an action to all files concurrently; reports and counts rejections by the server. */
async function each(
  work: Work,
  word: string,
  paths: readonly string[],
  act: (work: Work, path: string) => Promise<void>,
): Promise<void> {
  const { terminal, report, count } = work
  const progress = progressOf(terminal, word, paths.length)
  const queue = paths.values()
  let over: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    for (const path of queue) {
      if (over) return
      try {
        await act(work, path)
      } catch (error) {
        if (!isOfThisFile(error)) {
          over ??= { error }
          return
        }
        count.refused += 1
        progress.end()
        const message = sentenceOf(error)
        report.finding(path, { severity: 'error', code: 'refused', message }, `refused: ${message}`)
      }
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  progress.end()
  if (over) throw over.error
}

/** Status codes that concern every file, not only the rejected one. */
const ALL: ReadonlySet<number> = new Set([401, 403, 429, 502, 503, 504])
const isOfThisFile = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && !ALL.has(error.status)

async function sendIfOther(work: Work, path: string): Promise<void> {
  const { options, before: sentFiles, count, report, listing } = work
  const body = listing.take(path)
  const secret = listing.rules.secret(path, body)
  if (secret !== undefined) return withhold(report, path, secret)
  const digest = digestOf('sha256', body)
  const remoteFile = work.remote.get(path)
  if (
    remoteFile?.size === body.length &&
    (await isSame(work, remoteFile, { body, digest, path }))
  ) {
    sentFiles.note(path, remoteFile.etag, digest)
    count.same += 1
    return
  }
  if (options.dryRun) report.planned(remoteFile ? 'replace' : 'add', path)
  else {
    sentFiles.note(path, await sent(work, path, body), digest)
    if (namesModel(work.checked.get(path), body)) work.modelPaths.add(path)
  }
  const record = work.checked.get(path)
  if (record) report.checked(record)
  count.sent += 1
}

/** Uploads a file and returns its ETag. */
const sent = async ({ strata, base }: Work, path: string, body: Uint8Array): Promise<string> =>
  (await strata.files.put(`${base}/${path}`, body)).etag

interface Local {
  readonly path: string
  readonly body: Uint8Array
  readonly digest: string
}

/** Reports whether a local file equals a remote file of the same size. */
async function isSame(
  work: Work,
  remoteFile: Remote,
  { path, body, digest }: Local,
): Promise<boolean> {
  const sentDigest = work.before.digest(path, remoteFile.etag)
  if (sentDigest !== undefined) return sentDigest === digest
  // An ETag may be any text, but only an MD5 of these bytes equals the computed one.
  if (/^[0-9a-f]{32}$/.test(remoteFile.etag)) {
    if (remoteFile.etag === digestOf('md5', body)) return true
  }
  const download = await work.strata.files.get(`${work.base}/${path}`)
  return download !== undefined && digestOf('sha256', download.bytes) === digest
}

/**
 * Returns files that exist only on the server; files that this push excludes are kept on the
 * server.
 */
function surplus({ folder, remote, listing }: Work): string[] {
  const { rules } = listing
  const localPaths = new Set(folder.files)
  const unreadPaths = folder.others.map(({ path }) => path)
  const isLeftOut = (path: string): boolean =>
    rules.ignored(path) !== undefined ||
    rules.secret(path) !== undefined ||
    unreadPaths.some(
      (unreadPath) =>
        path === unreadPath ||
        path.startsWith(unreadPath.endsWith('/') ? unreadPath : `${unreadPath}/`),
    )
  return [...remote.keys()].filter((path) => !localPaths.has(path) && !isLeftOut(path))
}

async function remove(work: Work, path: string): Promise<void> {
  const { strata, report, options, base, before: sentFiles, count } = work
  if (options.dryRun) report.planned('delete', path)
  else {
    // Another client may have written the file after it was listed.
    await strata.files.delete(`${base}/${path}`, { ifMatch: `"${work.remote.get(path)?.etag}"` })
    sentFiles.forget(path)
  }
  count.deleted += 1
}

function summary({ count, base, options }: Work): string {
  const { sent, same, deleted } = count
  const verb = options.dryRun ? 'would push' : 'pushed'
  const more = [
    ...(same > 0 ? [`${same} unchanged`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
  ]
  const suffix = more.length > 0 ? ` (${more.join(', ')})` : ''
  return `${verb} ${sent} ${sent === 1 ? 'file' : 'files'} to ${base}/${suffix}`
}

const digestOf = (name: 'sha256' | 'md5', body: Uint8Array): string =>
  createHash(name).update(body).digest('hex')
