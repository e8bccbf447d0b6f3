/**
 * Names of partitions, rows, and objects. Every partition and object name starts with its tenant.
 * The tenant comes from the credential and is added here, after each name from a caller has been
 * validated.
 *
 *   partition  <tenant>/run/<run id>            f/<seq> facts · head · mail/<child> · secret/… ·
 *                                               list/approval/<id>
 *              <tenant>/fanout/<fan-out id>     f/<seq> facts · head · mail/<child> · secret/…
 *              <tenant>/delivery/<delivery id>  a/<n> attempts · head · payload
 *              <tenant>/snapshot/<run id>       about · p/<n>: folded state of a long run
 *              <tenant>/live/<run id>           watched · d/…: deltas for readers of the live run
 *              <tenant>/endpoint/<endpoint id>  head · secret · event/<id> for others
 *              <tenant>/schedule/<schedule id>  a/<slot> fires · head · event/<id> for endpoints ·
 *                                               mail/<run> ended · secret
 *              <tenant>/session/<session id>    head · t/<ticket> to create · mail/<run> ended ·
 *                                               r/<ticket> created · l/<child> late result received
 *                                               · event/<id> of a change, to be sent ·
 *                                               active: its place by activity
 *              <tenant>/reservation/<key digest>      head: body digest, ID, expiry
 *              _/key/<key id>                   head: hash, tenant, scopes
 *              _/hook/<hook id>                 head: tenant, run to start · secret
 *              _/tenant/<tenant>                head: name, state, deletion
 *              _/clock                          head: the last tick, and its delay
 *              <tenant>/rate/<key id or tenant>.<kind>  head: remaining quota of a rate limit
 *              <tenant>/quota/<list>            head: slots of a limited number of resources
 *              <tenant>/policy/tenant           head: the policy
 *              <tenant>/secrets/<owner>         s/<name>: a secret, sealed · head: change count;
 *                                               of the tenant, or of the digest of an end user
 *              <tenant>/layers/stamp            stamp: changes with each file of a layer
 *              <tenant>/layers/<hash>           files: a listing of one prefix, for 30 s
 *              <tenant>/mcp/<hash>              l/<n>: a tool list of a server, sealed, for minutes
 *              <tenant>/oauth/<hash>            head: an authorization at a server, sealed
 *              <tenant>/history/<hash>          v/<version> of one skill, agent, or server
 *              <tenant>/audit/<version>         a/<version> of changes that no other row records
 *              <tenant>/chain/p<n> · tip        l/<seq> sealed audit entries · head
 *              <tenant>/deleted/<id>            deleted: a run or fan-out that a caller deleted
 *              _/sweep/objects                  head: progress of the bucket sweep
 *   list       <tenant>/runs · <tenant>/fanouts · <tenant>/sessions ·
 *              <tenant>/active-sessions · <tenant>/deliveries ·
 *              <tenant>/deliveries/<endpoint> · <tenant>/endpoints · <tenant>/hooks ·
 *              <tenant>/schedules · <tenant>/schedules/<schedule> its fires · <tenant>/wakeups ·
 *              <tenant>/wakeups/<session> ·
 *              <tenant>/history/<hash> · <tenant>/audit · <tenant>/mcp-lists ·
 *              <tenant>/authorizations · <tenant>/secret-subjects
 *   object     <tenant>/files/<key>             files visible to people
 *              <tenant>/bodies/<owner>/<digest> bodies of a root or session (`home.ts`)
 *              <tenant>/pins/<month>/<digest>   pins, by the start month of their runs
 *              <tenant>/blobs/<digest>          texts that versions reference; older bodies
 *              <tenant>/index/…                 compiled layers, best effort
 *              <tenant>/resolved/<digest>       content of a config digest
 */

import { isFanoutId } from '../../core/run/decide/child.ts'
import { assert } from '../../lib/assert.ts'

export const DEFAULT_TENANT = 'default'

/** Returns the prefix of the names of all partitions, lists, and objects of a tenant. */
export const tenantPrefix = (tenant: string): string => `${tenant}/`

export const runPartition = (tenant: string, id: string): string => `${tenant}/run/${id}`
export const fanoutPartition = (tenant: string, id: string): string => `${tenant}/fanout/${id}`
/** Returns the partition of a run or a fan-out, depending on the ID's kind. */
export const logPartition = (tenant: string, id: string): string =>
  isFanoutId(id) ? fanoutPartition(tenant, id) : runPartition(tenant, id)
export const deliveryPartition = (tenant: string, id: string): string => `${tenant}/delivery/${id}`
/**
 * Returns the partition of a log's snapshot. It is separate, so that a worker with a cached run
 * reads no snapshot.
 */
export const snapshotPartition = (partition: string): string => {
  const { tenant, id } = parsePartition(partition)
  return `${tenant}/snapshot/${id}`
}
/**
 * Returns the partition of a model's live text, for stream readers. No decision depends on this
 * text.
 */
export const livePartition = (partition: string): string => {
  const { tenant, id } = parsePartition(partition)
  return `${tenant}/live/${id}`
}
export const endpointPartition = (tenant: string, id: string): string => `${tenant}/endpoint/${id}`
/**
 * Returns the partition of an inbound hook. The sender has no key, so only the hook identifies the
 * tenant.
 */
export const hookPartition = (id: string): string => `_/hook/${id}`
export const sessionPartition = (tenant: string, id: string): string => `${tenant}/session/${id}`
export const schedulePartition = (tenant: string, id: string): string => `${tenant}/schedule/${id}`
export const reservationPartition = (tenant: string, key: string): string =>
  `${tenant}/reservation/${key}`
/** Returns the partition of a tenant's row, which belongs to the operator. */
export const tenantPartition = (id: string): string => `_/tenant/${id}`
/** Name of the list of tenants, newest first. */
export const TENANTS_LIST = '_/tenants'
export const keyPartition = (id: string): string => `_/key/${id}`
export const browserSessionPartition = (id: string): string => `_/browser/${id}`
export const signInLinkPartition = (id: string): string => `_/sign-in/${id}`

/** Returns the partition of a rate limit; `whose` is a key ID or `tenant`. IDs have no dot. */
export const ratePartition = (tenant: string, whose: string, kind: string): string =>
  `${tenant}/rate/${whose}.${kind}`
export const quotaPartition = (tenant: string, list: string): string => `${tenant}/quota/${list}`
export const policyPartition = (tenant: string): string => `${tenant}/policy/tenant`
/** Returns the partition of secrets; `owner` is `tenant`, or the digest of an end user's ID. */
export const secretsPartition = (tenant: string, owner: string): string =>
  `${tenant}/secrets/${owner}`
/** Returns the name of the list of end users who have stored secrets. */
export const secretSubjectsList = (tenant: string): string => `${tenant}/secret-subjects`
/** Returns the partition of a layer row; `id` is the tenant's stamp or the hash of a listing. */
export const layersPartition = (tenant: string, id: string): string => `${tenant}/layers/${id}`
export const historyPartition = (tenant: string, hash: string): string =>
  `${tenant}/history/${hash}`

export const auditPartition = (tenant: string, version: string): string =>
  `${tenant}/audit/${version}`
/** Returns the partition of one page of the audit chain. */
export const chainPage = (tenant: string, page: number): string =>
  `${tenant}/chain/p${String(page).padStart(8, '0')}`
/** Returns the partition whose head names the last page of the audit chain, or an earlier one. */
export const chainTip = (tenant: string): string => `${tenant}/chain/tip`
export const deletedPartition = (tenant: string, id: string): string => `${tenant}/deleted/${id}`
export const auditList = (tenant: string): string => `${tenant}/audit`
export const fanoutsList = (tenant: string): string => `${tenant}/fanouts`
export const runsList = (tenant: string): string => `${tenant}/runs`
export const childrenList = (tenant: string, parent: string): string => `${tenant}/runs/${parent}`
export const sessionsList = (tenant: string): string => `${tenant}/sessions`
/** Returns the name of the list of sessions, ordered by latest activity. */
export const activeSessionsList = (tenant: string): string => `${tenant}/active-sessions`
/** Returns the name of the list of pending or decided approvals. */
export const approvalsList = (tenant: string, which: 'pending' | 'decided'): string =>
  `${tenant}/approvals/${which}`
export const deliveriesList = (tenant: string): string => `${tenant}/deliveries`
export const endpointDeliveries = (tenant: string, endpoint: string): string =>
  `${tenant}/deliveries/${endpoint}`
/** Returns the name of the list of API keys, newest first. */
export const keysList = (tenant: string): string => `${tenant}/keys`
/** Returns the name of the list of browser sessions, newest first. */
export const browserSessionsList = (tenant: string): string => `${tenant}/browsers`
export const endpointsList = (tenant: string): string => `${tenant}/endpoints`
export const schedulesList = (tenant: string): string => `${tenant}/schedules`
/** Returns the name of the list of one schedule's slot outcomes. */
export const scheduleFires = (tenant: string, id: string): string => `${tenant}/schedules/${id}`
/** Returns the name of the list of wakeups, of the tenant or of one session. */
export const wakeupsList = (tenant: string, session?: string): string =>
  session === undefined ? `${tenant}/wakeups` : `${tenant}/wakeups/${session}`
/** Returns the name of the list of authorizations at MCP servers. */
export const authorizationsList = (tenant: string): string => `${tenant}/authorizations`
export const hooksList = (tenant: string): string => `${tenant}/hooks`

export const blobObject = (tenant: string, digest: string): string => `${tenant}/blobs/${digest}`

export const summaryObject = (tenant: string, digest: string): string =>
  `${tenant}/resolved/${digest}`

/** Key prefix of all workspaces of a tenant. */
export const WORKSPACES = 'workspaces/'
/** Returns the key prefix of the isolated workspace of a run without a repository layer. */
export const workspace = (runId: string): string => `${WORKSPACES}${runId}/`

/** Object prefix of row bodies that a store keeps in the bucket: `rows/<partition>/<digest>`. */
export const ROWS_FOLDER = 'rows/'
/** The same for bodies of rows that expire; a rule of the bucket deletes them. */
export const EXPIRING_FOLDER = 'expiring/'

/** Names that the deployment uses itself, also as folders of the bucket. */
export const RESERVED_TENANTS: ReadonlySet<string> = new Set([
  DEFAULT_TENANT,
  ...[ROWS_FOLDER, EXPIRING_FOLDER].map((folder) => folder.slice(0, -1)),
])

export interface Address {
  readonly tenant: string
  readonly kind: string
  readonly id: string
}

export function parsePartition(partition: string): Address {
  const [tenant, kind, id, ...extraParts] = partition.split('/')
  assert(
    tenant && kind && id && extraParts.length === 0,
    `a partition must have three parts: ${partition}`,
  )
  return { tenant, kind, id }
}

const FACT_DIGITS = 10
/**
 * Returns the key of a fact row. Fact rows sort by their first sequence number, before head, mail,
 * and secrets.
 */
export const factKey = (seq: number): string => `f/${String(seq).padStart(FACT_DIGITS, '0')}`
export const mailKey = (childId: string): string => `mail/${childId}`
export const MAILBOX = 'mail/'
/** Row key of the session mail that gives a run its turn. */
export const TURN_MAIL = 'mail/turn'
/** Returns the row key of a notice that a child sent before its announce. IDs contain no dot. */
export const wordKey = (childId: string, seq: number): string =>
  `${mailKey(childId)}.${String(seq).padStart(FACT_DIGITS, '0')}`
/** Key prefix of listed approval rows, which sort after mail. */
export const APPROVAL_ROWS = 'list/approval/'
export const WEBHOOK_SECRET = 'secret/webhook'
