/** `strata link`: signs one browser in to the console, or opens one decision and nothing else. */

import { LIMITS } from '../core/limits.ts'
import { verifyKey } from '../engine/tenant/api-keys.ts'
import { createSignInLink } from '../engine/tenant/sign-in-links.ts'
import type { World } from '../ports/world.ts'
import { addressOf, clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './wrong-use.ts'

/** Behind the `#`, which browsers send to no server. */
const linkTo = (url: string, token: string): string => `${url}/console#link=${token}`

interface LinkOptions extends Shape {
  readonly approval?: string
  readonly seconds?: number
}

export async function link(terminal: Terminal, given: LinkOptions): Promise<number> {
  const { approval, seconds, json } = given
  if (approval !== undefined) return await decisionLink(terminal, approval, given)
  if (seconds !== undefined) throw new WrongUse('--seconds goes with --approval')
  const made = await clientOf(terminal.env).browserSessions.createLink()
  const url = linkTo(addressOf(terminal.env).url, made.token)
  terminal.out(json ? jsonLine({ ...made, url }) : url)
  return 0
}

/** For somebody without a key: reads and decides this approval, for at most an hour. */
async function decisionLink(
  terminal: Terminal,
  approval: string,
  { seconds, json }: LinkOptions,
): Promise<number> {
  const made = await clientOf(terminal.env).tokens.create({
    ...{ for: approval, actions: ['read', 'decide'], expires_in_seconds: seconds },
  })
  const fragment = new URLSearchParams({ token: made.token, approval })
  const url = `${addressOf(terminal.env).url}/console/decide#${fragment}`
  terminal.out(json ? jsonLine({ ...made, url }) : url)
  return 0
}

const MINUTES = LIMITS.sign_in_link_seconds / 60

/** For the start of a server: where its console is, signed in with the key that is at hand. */
export async function consoleLine(
  world: World,
  url: string,
  key: string | undefined,
): Promise<string> {
  const principal = key === undefined ? undefined : await verifyKey(world, key)
  const made = principal && (await createSignInLink(world, principal))
  return made?.ok
    ? `${linkTo(url, made.value.token)} (signs in once, for ${MINUTES} minutes)`
    : `${url}/console (sign in with an API key, or by a link of \`strata link\`)`
}
