/** Web page cache by tenant; cached pages expire after 15 minutes. */

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
  /** Time on the monotonic clock at which the cached page expires. */
  readonly until: number
}

/** Maximum total size of cached pages across all tenants, in characters. */
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
