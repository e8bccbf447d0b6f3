/** Limits the grant of a key to its creator's rights: expiry, addresses, rate limits, and quotas. */

import { type Refusal, refusal } from '../../core/problem.ts'
import { DEFAULT_RATES, RATE_NAMES } from '../../core/rate-limits.ts'
import { KEY_QUOTAS } from '../../core/tenant-quotas.ts'
import { isCovered } from '../../lib/address-range.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import type { Grant, StoredKey } from '../tenant/api-keys.ts'

/** Returns the granted members of an API key in stored form. */
export function grantOf(grant: Grant): Grant {
  const { scopes, name, expires_at, addresses, rate_limits, quotas } = grant
  return withoutAbsent({
    ...{ scopes: [...new Set(scopes)], name, rate_limits, quotas },
    expires_at: expires_at && iso(parseTime(expires_at) ?? 0),
    addresses: addresses && [...new Set(addresses)],
  }) as Grant
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Returns a copy of the object without undefined members. */
export const withoutAbsent = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>

/** Rejects a grant that exceeds its creator's rights; returns undefined otherwise. */
export function exceedsMaker(
  world: World,
  maker: StoredKey | undefined,
  grant: Grant,
): Refusal | undefined {
  return (
    endRefusal(maker, grant) ??
    addressRefusal(maker, grant) ??
    rateRefusal(world, maker, grant) ??
    quotaRefusal(maker, grant)
  )
}

function endRefusal(maker: StoredKey | undefined, { expires_at }: Grant): Refusal | undefined {
  const end = parseTime(maker?.expires_at ?? '')
  const until = parseTime(expires_at ?? '')
  if (end === undefined || (until !== undefined && until <= end)) return undefined
  return wider(
    'A key cannot expire later than the key that creates it; your key expires at ' +
      `${maker?.expires_at}.`,
  )
}

function addressRefusal(maker: StoredKey | undefined, { addresses }: Grant): Refusal | undefined {
  const makerAddresses = maker?.addresses
  if (makerAddresses === undefined) return undefined
  const elsewhere = addresses?.filter((address) => !isCovered(makerAddresses, address)) ?? [
    'every address',
  ]
  if (elsewhere.length === 0) return undefined
  return wider(
    'A key can allow only addresses that the creating key allows; your key does not allow ' +
      `${elsewhere.join(', ')}.`,
  )
}

function rateRefusal(
  world: World,
  maker: StoredKey | undefined,
  { rate_limits }: Grant,
): Refusal | undefined {
  const { tenant, key } = world.settings.rateLimits ?? DEFAULT_RATES
  const makerLimits = maker?.rate_limits
  for (const name of RATE_NAMES) {
    const most =
      makerLimits === undefined
        ? tenant[name]
        : Math.min(tenant[name], makerLimits[name] ?? key[name])
    const requestedRate = rate_limits?.[name] ?? (makerLimits === undefined ? 0 : key[name])
    if (requestedRate > most) {
      return wider(
        'A key cannot have higher limits than the key that creates it or the tenant: the ' +
          `maximum for ${name} is ${most}.`,
      )
    }
  }
  return undefined
}

function quotaRefusal(maker: StoredKey | undefined, { quotas }: Grant): Refusal | undefined {
  for (const name of KEY_QUOTAS) {
    const most = maker?.quotas?.[name]
    if (most !== undefined && (quotas?.[name] ?? Number.POSITIVE_INFINITY) > most) {
      return wider(
        'A key cannot have higher quotas than the key that creates it: the maximum for ' +
          `${name} is ${most}.`,
      )
    }
  }
  return undefined
}

const wider = (message: string): Refusal => refusal('insufficient_scope', message)
