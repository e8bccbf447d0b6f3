/** What comes with time: snapshots of long logs, wakes that go round, deletion, poison. */

import { ADVANCE, type Bug, bug, HEAD, LEDGER, patch, rareBug } from './patch.ts'

const SNAPSHOT = 'src/core/run/snapshot.ts'
const RETENTION = 'src/engine/worker/retention.ts'
const EXPIRY = 'src/engine/partition/expiry.ts'
const SPAWN = 'src/engine/run/effects/spawn.ts'

export const AGE: readonly Bug[] = [
  bug(
    'rule 39: a snapshot has lost a call',
    patch(SNAPSHOT, '[...state.calls.values()].map(', '[...state.calls.values()].slice(1).map('),
  ),
  bug(
    'rule 35: rounds are not counted',
    patch(ADVANCE, '? 0 : wake.staleCount + 1', '? 0 : wake.staleCount'),
  ),
  bug(
    'rule 35: a wake goes round for ever',
    patch('src/engine/dispatch.ts', 'if (wake.staleCount > MAX_HOPS) return', ''),
  ),
  bug(
    'rule 34: what kills its workers is looked at for ever',
    patch('src/core/crash-count.ts', ": { kind: 'poison' }", ": { kind: 'alone' }"),
  ),
  bug('rule 40: the deletion is not owed', patch(HEAD, '?? gone ?? null', '?? null')),
  bug(
    'rule 40: what has ended goes at once',
    patch(EXPIRY, 'state.ended_at + retentionMs', 'state.ended_at'),
  ),
  bug(
    'rule 40: the root goes first',
    patch(
      RETENTION,
      '  let whole = true\n',
      '  let whole = true\n  await world.store.drop(partition)\n',
    ),
  ),
  bug('rule 40: who lives goes too', patch(RETENTION, 'isAtRest(child.body) && ', '')),
  bug(
    'rule 40: nobody below goes',
    patch(RETENTION, '(await deleteTree(world, child.partition)) && ', ''),
  ),
  bug(
    'rule 40: the files stay',
    patch(RETENTION, 'await deleteFile(space, path, ', 'void (space, path, '),
  ),
  rareBug(
    'real: what a letter kept due is sent for ever',
    patch(EXPIRY, 'run.head.redeliveries > 0 && ', 'run.head.redeliveries < 0 && '),
  ),
  rareBug(
    'real: a snapshot is left of what is being deleted',
    patch(ADVANCE, 'const stays = !isDueToGo(', 'const stays = true || !isDueToGo('),
  ),
  bug(
    'real: what was deleted meanwhile is committed to',
    patch(LEDGER, 'if (!this.#committed) return false', ''),
  ),
  rareBug(
    'real: a subagent is refused that another worker has created',
    patch(SPAWN, 'if (world.settings.singleProcess && !known)', 'if (!known)'),
  ),
]
