/**
 * `web_search`: returns results of the configured search provider, within the domains that the
 * policy allows.
 */

import { domainRefused } from '../../core/policy.ts'
import { webSearch as tool } from '../../core/tools/builtin/web-search.ts'
import { policyNow } from '../tenant/policy.ts'
import { keysOf } from '../tenant/provider-keys.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { blocked, egressFilter } from './egress.ts'
import { type Caller, performed } from './tool.ts'
import { UNTRUSTED } from './web-fetch.ts'

interface Args {
  readonly query: string
  readonly count?: number
  readonly domains?: readonly string[]
}

const DEFAULT_COUNT = 8
const EXTRACT = 1_000

export const webSearch = performed(tool, { perform })

async function perform(caller: Caller, args: Args): Promise<ToolAnswer> {
  const { world, tenant, signal } = caller
  const leaks = await egressFilter(caller)
  if (leaks([args.query, ...(args.domains ?? [])].join('\n')))
    return bad(await blocked(caller, tool.name))
  const { policy } = await policyNow(caller)
  const domains = (args.domains ?? []).map((domain) => domain.trim().toLowerCase())
  const rejection = domains.map((domain) => domainRefused(policy, domain)).find(Boolean)
  if (rejection !== undefined) return bad(rejection)
  const allowedDomains = domains.length > 0 ? domains : policy.web.allowed_domains
  const request = { query: args.query, count: args.count ?? DEFAULT_COUNT, domains: allowedDomains }
  const response = await world.search!.find(
    request,
    signal,
    keysOf(world, tenant, caller.state.spec?.subject),
  )
  if (!response.ok) return bad(`${world.search!.provider}: ${response.error}`)
  // The search provider may return more results than requested.
  const may = response.value.filter(
    ({ url }) => URL.canParse(url) && domainRefused(policy, new URL(url).hostname) === undefined,
  )
  const omittedCount = response.value.length - may.length
  const notes =
    omittedCount > 0 ? [`[${omittedCount} results omitted: denied by the tenant's policy]`] : []
  if (may.length === 0) return good(['Nothing found.', ...notes].join('\n'))
  const results = may.slice(0, request.count).map(({ title, url, extract, published }, index) => {
    const date = published === null ? '' : ` (${oneLine(published, 40)})`
    const text = oneLine(extract, EXTRACT)
    return `${index + 1}. ${oneLine(title, 300)}${date}\n   ${url}\n   ${text}`
  })
  return good([UNTRUSTED, ...results, ...notes].join('\n\n'))
}

const oneLine = (text: string, most: number): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, most)
