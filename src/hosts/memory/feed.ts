/** Feed within one process: each subscriber receives each item at once and in order. */

import { listeners } from '../../lib/listeners.ts'
import type { Feed, FeedItem } from '../../ports/world.ts'
import { withPartials } from '../shared/partial.ts'

export const memoryFeed = (): Feed => withPartials(listeners<FeedItem>())
