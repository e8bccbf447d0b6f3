/** Planted bugs of deliveries between their attempts, and of who is told at all; of effects that begin too often or too late. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

const GONE = "if (answer?.status === 410) return { ...after, status: 'disabled' }"

const ASKS = '  const answer = await respond(request)\n'
/** As often as it takes, up to twenty times, without a pause. */
const ASKS_ON = `  let answer = await respond(request)
  for (let again = 0; again < 20 && !answer.ok && answer.error.retryable; again += 1) {
    answer = await respond(request)
  }
`

export const DELIVERIES: readonly Bug[] = [
  bug(
    'page: attempts follow each other without a pause',
    inside('plannedDelay', '? SCHEDULE[index]', '? 0'),
  ),
  bug('page: a receiver that is gone is posted to again', inside('attempted', GONE, '')),
  bug(
    'page: a busy receiver asks for more time in vain',
    inside(
      'politeDelay',
      'return Math.max(planned, Math.min(requestedMs, 2 * planned, RETRY_AFTER_MAX))',
      'return planned',
    ),
  ),
  bug(
    'page: a webhook is given up at its first error',
    inside(
      'attempted',
      'if (answer?.status === 410)',
      'if (answer?.status === 410 || (delivery.endpoint_id == null && (answer?.status ?? 0) >= 400))',
    ),
  ),
  bug(
    'page: a webhook is given up after five attempts',
    inside(
      'attempted',
      'if (planned === undefined) return',
      'if (planned === undefined || attempts > 4) return',
    ),
  ),
  bug('page: a model that refuses is asked again at once', inside('askOne', ASKS, ASKS_ON)),
  bug(
    'page: effects still start after a cancel',
    inside(
      'pending-effects:pendingEffects',
      'if (isTerminal(state) || state.cancel) return outbox',
      'if (isTerminal(state)) return outbox',
    ),
  ),
  bug(
    'page: endpoints hear nothing of fan-outs',
    inside(
      'isSubscribedByEndpoints',
      'subscribed.includes(type) && ',
      "subscribed.includes(type) && !type.startsWith('fanout.') && ",
    ),
  ),
]
