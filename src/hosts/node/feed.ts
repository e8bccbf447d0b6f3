/** The feed inside this process, which is the only one: every subscriber hears at once. */

import { listeners } from '../../lib/listeners.ts'
import type { Feed, FeedItem } from '../../ports/world.ts'

/** What a subscriber throws is reported and concerns neither the publisher nor the others. */
export const processFeed = (onError: (error: unknown) => void): Feed => listeners<FeedItem>(onError)
