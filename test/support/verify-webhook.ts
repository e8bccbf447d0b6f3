/** Webhooks as receivers check them by the reference library. */

import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

interface Delivered {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the verified message; throws when its signature is wrong. The library reads the system's time: `now`. */
export function verifyWebhook(secret: string, { body, headers }: Delivered, now: number): unknown {
  vi.setSystemTime(now)
  try {
    return new Webhook(secret).verify(body, { ...headers })
  } finally {
    vi.useRealTimers()
  }
}
