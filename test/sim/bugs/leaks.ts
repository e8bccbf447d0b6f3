/**
 * Leaks between tenants: caches and lists without their tenant, rows that belong to the deployment
 * and are shown to every tenant, names that two tenants share.
 */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a patch quotes source text.

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const LEAKS: readonly Bug[] = [
  bug(
    'leak: the policy of one tenant is remembered for all',
    inside('readPolicy', 'policies.get(tenant)', "policies.get('')"),
    inside('readPolicy', 'policies.set(tenant, place)', "policies.set('', place)"),
    inside('forgetPolicy', 'policiesOf(store).delete(tenant)', "policiesOf(store).delete('')"),
  ),
  bug(
    'leak: the endpoints of one tenant are remembered for all',
    inside('endpointsOf', 'cache.get(tenant)', "cache.get('')"),
    inside('endpointsOf', 'cache.set(tenant, pending)', "cache.set('', pending)"),
    inside('forgetEndpoints', 'cacheOf(store).delete(tenant)', "cacheOf(store).delete('')"),
  ),
  bug(
    'leak: the secrets of one tenant are remembered for all',
    inside(
      'cachedReads',
      'const owner = ownerPartition(tenant, subject)',
      "const owner = ownerPartition('', subject)",
    ),
    inside(
      'cachedReads',
      'void cache.delete(ownerPartition(tenant, subject))',
      "void cache.delete(ownerPartition('', subject))",
    ),
    // A value is sealed for its tenant, which alone would hide the leak.
    inside(
      'sealContext',
      "`secret ${tenant} ${name} ${version}${subject === undefined ? '' : ` of ${subject}`}`",
      '`secret ${name} ${version}`',
    ),
  ),
  bug(
    'leak: a cursor is not bound to its tenant',
    inside(
      'partition/page:sealCursor',
      '`cursor ${list}`',
      "`cursor ${list.split('/').slice(1).join('/')}`",
    ),
    inside(
      'partition/page:placeOf',
      '`cursor ${list}`',
      "`cursor ${list.split('/').slice(1).join('/')}`",
    ),
  ),
  bug(
    'leak: every tenant finds every API key',
    inside('findKey', 'key?.tenant === tenant ?', 'key ?'),
  ),
  bug(
    'leak: every tenant changes every hook',
    inside('changeHook', 'stored?.hook.tenant !== tenant', '!stored'),
  ),
  bug(
    'leak: every tenant finds every browser session',
    inside('findBrowserSession', 'session?.tenant === tenant ?', 'session ?'),
  ),
  bug(
    'leak: tenants share the reservations of keys',
    inside(
      'idempotency:partitionOf',
      'reservationPartition(tenant,',
      "reservationPartition('all',",
    ),
  ),
  bug(
    'leak: a session is looked up without its tenant',
    inside('sessionPartition', '`${tenant}/session/${id}`', '`default/session/${id}`'),
  ),
  bug(
    'leak: runs of all tenants stand in one list',
    inside('runsList', '`${tenant}/runs`', '`_/runs`'),
  ),
  bug(
    'leak: bodies of all tenants lie in one folder',
    inside('homesOf', '`${tenant}/${FOLDER}`', 'FOLDER'),
  ),
  bug(
    'leak: changes of all tenants are sealed in one chain',
    inside('chainTip', '`${tenant}/chain/tip`', "'default/chain/tip'"),
    inside(
      'chainPage',
      '(tenant: string, page: number): string =>',
      "(_: string, page: number, tenant = 'default'): string =>",
    ),
  ),
  bug(
    'leak: memory of all tenants has one index',
    inside('index-store:folderKey', 'indexKey(tenant,', "indexKey('all',"),
  ),
  bug(
    'leak: an event is delivered to the endpoint of another tenant',
    inside('endpointsList', '`${tenant}/endpoints`', "'_/endpoints'"),
  ),
  bug(
    'leak: usage is summed up over all tenants',
    inside('usageOfDays', 'days.get(date)', '((globalThis as any).summed ??= days).get(date)'),
  ),
]
