/**
 * Manages listeners by topic within this process. Publishing to a topic without listeners costs
 * nothing. A listener that throws affects neither other listeners nor the publisher.
 */

export interface Listeners<T> {
  publish(topic: string, item: T): void
  /** Calls the listener for each item of the topic until the returned function is called. */
  subscribe(topic: string, listener: (item: T) => void): () => void
}

export function listeners<T>(onError: (error: unknown) => void = () => {}): Listeners<T> {
  const topics = new Map<string, Set<(item: T) => void>>()
  return {
    publish(topic, item) {
      for (const listener of topics.get(topic) ?? []) {
        try {
          listener(item)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(topic, listener) {
      // Each subscription has a separate wrapper, so that a function subscribed twice is called
      // twice.
      const wrapper = (item: T): void => listener(item)
      const subscribers = topics.get(topic) ?? new Set()
      topics.set(topic, subscribers.add(wrapper))
      return () => {
        subscribers.delete(wrapper)
        if (subscribers.size === 0 && topics.get(topic) === subscribers) topics.delete(topic)
      }
    },
  }
}
