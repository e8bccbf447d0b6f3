/**
 * Serves signed links, which are created with a key and opened by a person in any browser. A GET
 * only displays the page, so a mail scanner that follows a link decides nothing. Submitting the
 * page's form makes the decision.
 */

import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { holds } from '../../core/scopes.ts'
import { LINK_PATH } from '../../core/token.ts'
import { runPartition } from '../../engine/partition/keys.ts'
import { decideApproval, readApproval } from '../../engine/run/approvals.ts'
import { readView } from '../../engine/run/query.ts'
import { makeToken, scopesRefusal } from '../../engine/tenant/tokens.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { iso } from '../../lib/time.ts'
import { parseWith, readBytes } from '../request/body.ts'
import { granted, PROBLEM_TYPE, RequestRefused, refuse } from '../request/problem.ts'
import { publicUrl } from '../request/public-url.ts'
import { type Api, type Call, type Env, type Route, route } from '../request/route.ts'
import { checkSubject } from '../request/token-reach.ts'
import { AccessLink, AccessLinkInput, DecisionForm } from '../schemas/tenant/access-links.ts'
import { untilTerminal } from '../stream/wait.ts'
import { approvalPage, PAGE_HEADERS, refusalPage, runPage } from '../views/link-page.ts'

const PATH = `${LINK_PATH}{token}`
const params = { token: 'Link token, as returned by `POST /v1/access-links`' }
const FORM_TYPE = 'application/x-www-form-urlencoded'
const page = (description: string) => ({
  200: { description, type: 'text/html', schema: z.string() },
})

/** Shows the rejection of a link as a page to browsers; other clients get the problem document. */
export const asPage: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const isProblem = c.res.headers.get('content-type') === PROBLEM_TYPE
  if (!isProblem || !c.req.header('accept')?.includes('text/html')) return
  const { status, headers } = c.res
  const problem = (await c.res.json()) as Parameters<typeof refusalPage>[0]
  // After a rejected decision, the page links back to the approval, which shows the earlier
  // decision.
  const back = c.req.method === 'POST' ? new URL(c.req.url).pathname : undefined
  const pageHeaders = new Headers(headers)
  for (const [name, value] of Object.entries(PAGE_HEADERS)) pageHeaders.set(name, value)
  c.res = undefined
  c.res = new Response(String(await refusalPage(problem, back)), { status, headers: pageHeaders })
}

export function accessLinkRoutes(api: Api): void {
  makeLink(api)
  showLink(api)
  decideByLink(api)
}

function makeLink(api: Api): void {
  route(
    api,
    {
      id: 'createAccessLink',
      method: 'post',
      path: '/v1/access-links',
      tag: 'Approvals',
      summary: 'Create an access link',
      description:
        'The URL shows one run, or one approval with a form for deciding it once. The URL ' +
        'works in any browser, without a key and without scripts; opening the URL does not ' +
        'change any data. The token in the URL is like a token from `POST /v1/tokens`, but ' +
        'can be valid for seven days. The link cannot have more rights than the API key that ' +
        'creates it. It becomes invalid within 5 seconds after that key does.',
      scope: 'any',
      body: AccessLinkInput,
      refusals: [404],
      answers: { 201: { description: 'Created', schema: AccessLink } },
    },
    async (call) => {
      const { c, world, tenant, by, body } = call
      const { scopes: keyScopes } = c.get('principal')
      const { kind, subject, may, scopes } = linkOf(body)
      // Scopes are checked before the subject is read, so a key reveals nothing beyond its read
      // access.
      const refusal = scopesRefusal({ scopes: keyScopes }, kind, scopes)
      if (refusal) throw new RequestRefused(refusal)
      await checkSubject(world, tenant, kind, subject)
      const tokenRequest = { kind, subject, scopes, expires_in: body.expires_in }
      const { id, token, until } = granted(
        await makeToken({ world, tenant, by, scopes: keyScopes }, tokenRequest),
      )
      const url = `${publicUrl(call)}${LINK_PATH}${token}`
      const expires_at = iso(until)
      const link = { id, object: 'access_link', url, token, for: body.for, may, expires_at }
      return c.json(link, 201)
    },
  )
}

/** Returns the kind, subject, permission, and scopes of the link's token. */
function linkOf({ for: subject, may }: AccessLinkInput) {
  if ('run' in subject) {
    if (may === 'decide') {
      const errors = [{ pointer: '/may', message: 'links to a run are read-only' }]
      throw refuse('invalid_request', 'A link to a run cannot decide an approval.', { errors })
    }
    return { kind: 'run', subject: subject.run, may: 'read', scopes: ['runs:read'] } as const
  }
  const scopes = may === 'read' ? APPROVAL_SCOPES.read : APPROVAL_SCOPES.decide
  return { kind: 'approval', subject: subject.approval, may: may ?? 'decide', scopes } as const
}

/** Scopes that each action of an approval link grants. */
const APPROVAL_SCOPES = {
  read: ['approvals:read'],
  decide: ['approvals:read', 'approvals:write'],
} as const

const missing = () => refuse('not_found', 'The link is not for an approval or run.')

type Linked = Pick<Call<Route>, 'c' | 'world' | 'tenant'>

/** Renders the page for the subject of a signed link. */
async function pageOf({ c, world, tenant }: Linked): Promise<Response> {
  const { token, scopes } = c.get('principal')
  const needed = token?.kind === 'run' ? 'runs:read' : 'approvals:read'
  if (!holds(scopes, needed))
    throw refuse('insufficient_scope', `The link lacks the scope ${needed}.`)
  if (token?.kind === 'run') {
    const run = await untilTerminal(world, runPartition(tenant, token.subject), 0)
    return c.body(String(await runPage(await readView(world, tenant, run))), 200, PAGE_HEADERS)
  }
  const approval = token && (await readApproval(world, tenant, token.subject))
  if (!approval) throw missing()
  const pageBody = await approvalPage(approval, holds(scopes, 'approvals:write'))
  return c.body(String(pageBody), 200, PAGE_HEADERS)
}

function showLink(api: Api): void {
  route(
    api,
    {
      id: 'showAccessLink',
      method: 'get',
      path: PATH,
      params,
      tag: 'Approvals',
      summary: "Get a link's page",
      description:
        'Shows the current state of the approval or run without changing anything. Browsers ' +
        'also receive errors as a page.',
      scope: 'any',
      answers: page('The page'),
    },
    (call) => pageOf(call),
  )
}

function decideByLink(api: Api): void {
  route(
    api,
    {
      id: 'decideByAccessLink',
      method: 'post',
      path: PATH,
      params,
      tag: 'Approvals',
      summary: 'Decide with a link',
      description:
        'Submits the form on the page. The first decision is final, as with `POST ' +
        '…/decision`.',
      scope: 'approvals:write',
      rawBody: FORM_TYPE,
      rawShape: DecisionForm,
      refusals: [409, 410, 422],
      answers: {
        303: {
          description: 'The decision was made; the page shows the decision',
          headers: ['Location'],
        },
      },
    },
    async ({ c, world, tenant, by }) => {
      const { token } = c.get('principal')
      const bytes = await readBytes(c.req, LIMITS.access_link_form_bytes)
      const form = formOf(c.req.header('content-type'), bytes)
      const decided =
        token && granted(await decideApproval(world, tenant, token.subject, { ...form, by }))
      if (!decided) throw missing()
      return c.redirect(new URL(c.req.url).pathname, 303)
    },
  )
}

/** Parses the decision form; an empty field counts as absent. */
function formOf(type: string | undefined, bytes: Uint8Array): z.output<typeof DecisionForm> {
  if (type?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE) {
    throw refuse('unsupported_media_type', `Send the form as ${FORM_TYPE}.`)
  }
  const text = decodeStrict(bytes)
  if (text === undefined) throw refuse('malformed_request', 'The form is not valid UTF-8.')
  const pairs = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length < pairs.length) {
    throw refuse('invalid_request', 'The form contains a field more than once.')
  }
  return parseWith(DecisionForm, fields)
}
