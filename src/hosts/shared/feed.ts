/**
 * The feed inside this process: every local subscriber gets each item at once. Where several
 * processes work, those elsewhere read the store again instead.
 */

import { listeners } from '../../lib/listeners.ts'
import type { Feed, FeedItem } from '../../ports/world.ts'
import { withPartials } from './partial.ts'

/** An exception of a subscriber is reported and concerns neither the publisher nor the others. */
export const processFeed = (onError: (error: unknown) => void): Feed =>
  withPartials(listeners<FeedItem>(onError))
