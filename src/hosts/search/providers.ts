/**
 * Defines web search providers according to their public documentation (read November 2026):
 * api-dashboard.search.brave.com/documentation, docs.tavily.com/documentation/api-reference,
 * docs.exa.ai/reference/search, docs.searxng.org/dev/search_api.html. The deployment's environment
 * variables select a provider. The key is sent in a header and appears in no message.
 */

import * as z from 'zod'
import type { SearchHit, SearchRequest } from '../../ports/world.ts'

export const PROVIDERS = ['brave', 'tavily', 'exa', 'searxng'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** Web search provider, which builds its requests and parses its responses. */
export interface Provider {
  readonly base_url: string
  ask(request: SearchRequest): {
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    /** Request body; absent for a GET request. */
    readonly body?: unknown
  }
  /** Parses the search results of a response; throws if the response is invalid. */
  read(answer: unknown): readonly SearchHit[]
}

const text = z.string().nullish()
const hits = <T extends z.ZodType>(shape: T) => z.array(shape)
const published = (...candidates: readonly (string | null | undefined)[]): string | null =>
  candidates.find((value) => value != null && value !== '') ?? null

/** Adds `site:` operators to the query for providers without a domain filter. */
const withSites = ({ query, domains }: SearchRequest): string =>
  domains.length === 0
    ? query
    : `${query} (${domains.map((domain) => `site:${domain}`).join(' OR ')})`

const BRAVE = z.object({
  web: z
    .object({
      results: hits(
        z.object({ title: text, url: z.string(), description: text, page_age: text, age: text }),
      ),
    })
    .nullish(),
})

const brave = (key: string): Provider => ({
  base_url: 'https://api.search.brave.com',
  ask: (request) => ({
    path: `/res/v1/web/search?${new URLSearchParams({
      q: withSites(request),
      count: String(Math.min(request.count, 20)),
      text_decorations: 'false',
    })}`,
    headers: { 'x-subscription-token': key, accept: 'application/json' },
  }),
  read: (answer) =>
    (BRAVE.parse(answer).web?.results ?? []).map((hit) => ({
      title: hit.title ?? '',
      url: hit.url,
      extract: hit.description ?? '',
      published: published(hit.page_age, hit.age),
    })),
})

const TAVILY = z.object({
  results: hits(z.object({ title: text, url: z.string(), content: text, published_date: text })),
})

const tavily = (key: string): Provider => ({
  base_url: 'https://api.tavily.com',
  ask: ({ query, count, domains }) => ({
    path: '/search',
    headers: { authorization: `Bearer ${key}` },
    body: {
      query,
      max_results: count,
      ...(domains.length > 0 ? { include_domains: domains } : {}),
    },
  }),
  read: (answer) =>
    TAVILY.parse(answer).results.map((hit) => ({
      title: hit.title ?? '',
      url: hit.url,
      extract: hit.content ?? '',
      published: published(hit.published_date),
    })),
})

const EXA = z.object({
  results: hits(
    z.object({
      title: text,
      url: z.string(),
      publishedDate: text,
      text,
      highlights: z.array(z.string()).nullish(),
    }),
  ),
})

const exa = (key: string): Provider => ({
  base_url: 'https://api.exa.ai',
  ask: ({ query, count, domains }) => ({
    path: '/search',
    headers: { 'x-api-key': key },
    body: {
      query,
      numResults: count,
      ...(domains.length > 0 ? { includeDomains: domains } : {}),
      contents: { text: { maxCharacters: 1_000 } },
    },
  }),
  read: (answer) =>
    EXA.parse(answer).results.map((hit) => ({
      title: hit.title ?? '',
      url: hit.url,
      extract: hit.text ?? hit.highlights?.join(' … ') ?? '',
      published: published(hit.publishedDate),
    })),
})

const SEARXNG = z.object({
  results: hits(z.object({ title: text, url: z.string(), content: text, publishedDate: text })),
})

/** Creates the SearXNG provider; the SearXNG server's settings must allow the `json` format. */
const searxng = (url: string): Provider => ({
  base_url: url.replace(/\/+$/, ''),
  ask: (request) => ({
    path: `/search?${new URLSearchParams({ q: withSites(request), format: 'json' })}`,
    headers: { accept: 'application/json' },
  }),
  read: (answer) =>
    SEARXNG.parse(answer).results.map((hit) => ({
      title: hit.title ?? '',
      url: hit.url,
      extract: hit.content ?? '',
      published: published(hit.publishedDate),
    })),
})

export const PROVIDER_MAKERS: Readonly<Record<ProviderName, (value: string) => Provider>> = {
  brave,
  tavily,
  exa,
  searxng,
}

/** Environment variable that enables each provider, containing an API key or a URL. */
export const VARIABLES: Readonly<Record<ProviderName, string>> = {
  brave: 'BRAVE_API_KEY',
  tavily: 'TAVILY_API_KEY',
  exa: 'EXA_API_KEY',
  searxng: 'SEARXNG_URL',
}
