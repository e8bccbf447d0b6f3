/**
 * Implements the live feed inside this process: every local subscriber receives each item at once
 * and in order. Subscribers in other processes reread the store.
 */

import { listeners } from '../../lib/listeners.ts'
import type { Feed, FeedItem } from '../../ports/world.ts'
import { withPartials } from './partial.ts'

/**
 * Creates a feed that reports a subscriber's exception without affecting the publisher or other
 * subscribers.
 */
export const processFeed = (onError: (error: unknown) => void): Feed =>
  withPartials(listeners<FeedItem>(onError))
