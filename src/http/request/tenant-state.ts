/** Refuses requests that write while their tenant is suspended; reads stay possible. */

import type { Context } from 'hono'
import { suspendedRefusal } from '../../engine/tenant/state.ts'
import type { World } from '../../ports/world.ts'
import type { Env } from './env.ts'
import { RequestRefused } from './problem.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Routes that only read by POST, or only end a sign-in. */
const ALLOWED = ['/v1/browser-sessions', '/v1/resolve']

const isRead = ({ method, path }: Context<Env>['req']): boolean =>
  READS.has(method) || ALLOWED.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

/** Throws if the tenant is suspended and the request writes, or if the tenant is deleted. */
export async function admitTenant(c: Context<Env>, world: World, tenant: string): Promise<void> {
  const refusal = await suspendedRefusal(world, tenant, isRead(c.req))
  if (refusal) throw new RequestRefused(refusal)
}
