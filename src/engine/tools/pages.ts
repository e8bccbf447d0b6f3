/** Cache of web pages by tenant; entries expire after 15 minutes. */

import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../core/limits.ts'
import type { DocumentText, World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

export interface Page extends DocumentText {
  /** URL after the last redirect. */
  readonly url: string
}
interface CachedPage {
  readonly page: Page
  /** Expiry on the monotonic clock. */
  readonly until: number
}

/** Maximum total characters across all tenants. */
const MAX_CACHED = 16_000_000

const cacheOf = processMemory(
  'pages',
  () =>
    new LRUCache<string, CachedPage>({
      maxSize: MAX_CACHED,
      sizeCalculation: ({ page }) => page.markdown.length + 200 * page.links.length + 500,
    }),
)

export function pagesOf({ objects, clock }: World) {
  const cache = cacheOf(objects)
  const keyOf = (tenant: string, url: string): string => `${tenant} ${url}`
  return {
    get(tenant: string, url: string): Page | undefined {
      const cached = cache.get(keyOf(tenant, url))
      return cached && cached.until > clock.monotonic() ? cached.page : undefined
    },
    keep(tenant: string, url: string, page: Page): void {
      const until = clock.monotonic() + LIMITS.web_cache_seconds * 1_000
      cache.set(keyOf(tenant, url), { page, until })
    },
  }
}
