/** Planted bugs of deliveries between their attempts, and of who is told at all. */

import { type Bug, bug, patch, TOLD } from './patch.ts'

const DELIVERY = 'src/core/delivery.ts'
const GONE = "if (answer?.status === 410) return { ...after, status: 'disabled' }"

export const DELIVERIES: readonly Bug[] = [
  bug(
    'page: attempts follow each other without a pause',
    patch(DELIVERY, '? SCHEDULE[index]', '? 0'),
  ),
  bug('page: a receiver that is gone is posted to again', patch(DELIVERY, GONE, '')),
  bug(
    'page: a busy receiver asks for more time in vain',
    patch(
      DELIVERY,
      'return Math.max(planned, Math.min(asked, 2 * planned, RETRY_AFTER_MAX))',
      'return planned',
    ),
  ),
  bug(
    'page: a webhook is given up at its first error',
    patch(
      DELIVERY,
      'if (answer?.status === 410)',
      'if (answer?.status === 410 || (delivery.endpoint_id == null && (answer?.status ?? 0) >= 400))',
    ),
  ),
  bug(
    'page: a webhook is given up after five attempts',
    patch(
      DELIVERY,
      'if (planned === undefined) return',
      'if (planned === undefined || attempts > 4) return',
    ),
  ),
  bug(
    'page: endpoints hear nothing of fan-outs',
    patch(
      TOLD,
      'watched.includes(type) && ',
      "watched.includes(type) && !type.startsWith('fanout.') && ",
    ),
  ),
]
