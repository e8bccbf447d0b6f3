/** The Worker of the tests in workerd: what its queues bring goes to whichever test listens. */

import type { MessageBatch } from '../../src/hosts/cloudflare/bindings.ts'
import { wakeOf } from '../../src/hosts/shared/wake.ts'
import { hearing } from './hearing.ts'

export default {
  async queue(batch: MessageBatch): Promise<void> {
    for (const message of batch.messages) {
      const wake = wakeOf(message.body)
      if (wake) await hearing.current?.(wake).catch(() => {})
      message.ack()
    }
  },
}
