/**
 * A link to one decision. Its token stands behind the `#`, which browsers send to no server and
 * name to no other page; it leaves the address as soon as it is read.
 */

export const DECIDE = '/console/decide'

export interface DecisionToken {
  readonly token: string
  readonly approval: string
}

export const linkTo = (origin: string, { token, approval }: DecisionToken): string =>
  `${origin}${DECIDE}#${new URLSearchParams({ token, approval })}`

/** Undefined: the address has none, or not any more. */
export function takeLink(): DecisionToken | undefined {
  const { hash, pathname } = location
  const given = new URLSearchParams(hash.slice(1))
  if (hash !== '') history.replaceState(null, '', pathname)
  const [token, approval] = [given.get('token'), given.get('approval')]
  // Both go into a header and a path: nothing else than what the server makes is sent there.
  const isLink = token && approval && /^[\w.-]+$/.test(token) && /^apr_[a-z0-9]+$/.test(approval)
  return isLink ? { token, approval } : undefined
}
