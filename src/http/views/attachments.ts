/**
 * Shows the files that a run attaches: type, size, and a link that works for 15 minutes without an
 * API key. The link is sealed, names one file of one tenant, and returns the file's current
 * content.
 */

import { getMimeType } from 'hono/utils/mime'
import { LIMITS } from '../../core/limits.ts'
import type { RunView } from '../../core/run/views/view.ts'
import { listedPath, listFiles, readFile } from '../../engine/layers/files.ts'
import type { Committed } from '../../engine/partition/log.ts'
import { readView, type TreeNode } from '../../engine/run/query.ts'
import { type TenantStatus, tenantStatus } from '../../engine/tenant/state.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { download } from '../request/download.ts'
import { refuse } from '../request/problem.ts'

interface Attachment {
  readonly key: string
  readonly media_type: string
  /** File size in bytes; null if the file is deleted, or is not read, as in lists. */
  readonly bytes: number | null
  readonly download: { readonly path: string; readonly expires_at: string } | null
}
/** Run as the API returns it. */
type ShownRun = Omit<RunView, 'output'> & { readonly output: unknown }

const MARKDOWN = /\.(?:md|markdown)$/i
export const mimeTypeOf = (key: string): string =>
  MARKDOWN.test(key) ? 'text/markdown' : (getMimeType(key) ?? 'application/octet-stream')

/** Returns the view of a run in lists, without reading the run's files. */
export function listedRun(view: RunView): ShownRun {
  if (view.output === null || view.output.attachments.length === 0) return view
  const attachments = view.output.attachments.map(
    (key): Attachment => ({ key, media_type: mimeTypeOf(key), bytes: null, download: null }),
  )
  return { ...view, output: { ...view.output, attachments } }
}

/** Maximum number of attachments with links; further attachments have no links. */
const LINKED = 100

/** Returns the view of one run, with links to its attachments. */
async function linkedRun(world: World, tenant: string, view: RunView): Promise<ShownRun> {
  if (view.output === null || view.output.attachments.length === 0) return view
  const keys = [...new Set(view.output.attachments)]
  const linked = await Promise.all(keys.slice(0, LINKED).map((key) => linkTo(world, tenant, key)))
  const unlinked = keys.slice(LINKED).map((key) => ({ key, bytes: null, download: null }))
  const attachments = [...linked, ...unlinked].map(({ key, ...link }) => ({
    ...{ key, media_type: mimeTypeOf(key) },
    ...link,
  }))
  return { ...view, output: { ...view.output, attachments } }
}

/** Returns the view of a run that was just read, with links to its attachments. */
export const readShown = async (
  world: World,
  tenant: string,
  run: Pick<Committed, 'state'>,
): Promise<ShownRun> => {
  const view = await readView(world, tenant, run)
  return linkedRun(world, tenant, haltedView(view, await tenantStatus(world, tenant)))
}

/** Returns a run's view, which names the tenant's state if that keeps the run from continuing. */
export const haltedView = (view: RunView, status: TenantStatus): RunView =>
  status !== 'active' && (view.status === 'queued' || view.status === 'running')
    ? { ...view, status: 'waiting', waiting_on: 'tenant' }
    : view

interface ShownTree {
  readonly run: ShownRun
  readonly children: readonly ShownTree[]
}
export const shownTree = async (
  world: World,
  tenant: string,
  { run, children }: TreeNode,
): Promise<ShownTree> => ({
  run: await linkedRun(world, tenant, run),
  children: await Promise.all(children.map((child) => shownTree(world, tenant, child))),
})

type FileLink = Pick<Attachment, 'key' | 'bytes' | 'download'>

async function linkTo(world: World, tenant: string, key: string): Promise<FileLink> {
  const { files } = await listFiles({ world, tenant }, key)
  const file = files.find(({ path }) => path === key)
  if (!file) return { key, bytes: null, download: null }
  const until = world.clock.now() + LIMITS.download_seconds * 1_000
  const token = await world.secrets.seal(JSON.stringify({ tenant, key, until }), CONTEXT)
  const path = `/v1/downloads?token=${token}`
  return { key, bytes: file.size, download: { path, expires_at: iso(until) } }
}

const CONTEXT = 'download'
const TOKEN = /^[\w.-]{1,4000}$/

/** Returns the file that a download link names; all invalid links are rejected in the same way. */
export async function downloaded(world: World, token: string): Promise<Response> {
  const opened = TOKEN.test(token) ? await world.secrets.open(token, CONTEXT) : undefined
  if (opened === undefined) throw refuse('not_found', 'Unknown link.')
  const { tenant, key, until } = JSON.parse(opened) as {
    readonly tenant: string
    readonly key: string
    readonly until: number
  }
  if (world.clock.now() > until)
    throw refuse('gone', 'The link has expired; get the run for a new link.')
  const file = await readFile({ world, tenant }, listedPath(key))
  if (!file) throw refuse('gone', 'The file has been deleted.')
  return download(file.body, mimeTypeOf(key), key.slice(key.lastIndexOf('/') + 1))
}
