/** What comes with time: snapshots of long logs, wakes that go round, deletion, poison. */

import { inside } from '../../planting/patch.ts'
import { type Bug, bug, rareBug, testedBug } from './bug.ts'

export const AGE: readonly Bug[] = [
  bug(
    'rule 39: a snapshot has lost a call',
    inside(
      'snapshotOf',
      '[...state.calls.values()].map(',
      '[...state.calls.values()].slice(1).map(',
    ),
  ),
  bug(
    'rule 35: rounds are not counted',
    inside('Executor.afterwards', '? 0 : wake.staleCount + 1', '? 0 : wake.staleCount'),
  ),
  bug(
    'rule 35: a wake goes round for ever',
    inside('dispatch', 'if (wake.staleCount > MAX_HOPS) return', ''),
  ),
  bug(
    'rule 34: what kills its workers is looked at for ever',
    inside('crash-count:judge', ": { kind: 'poison' }", ": { kind: 'alone' }"),
  ),
  bug('rule 40: the deletion is not owed', inside('headAfter', '?? gone ?? null', '?? null')),
  bug(
    'rule 40: what has ended goes at once',
    inside('goneAt', 'state.ended_at + retentionMs', 'state.ended_at'),
  ),
  bug(
    'rule 40: the root goes first',
    inside(
      'deleteTree',
      '  let whole = true\n',
      '  let whole = true\n  await world.store.drop(partition)\n',
    ),
  ),
  bug('rule 40: who lives goes too', inside('deleteTree', 'isAtRest(child.body) && ', '')),
  bug(
    'rule 40: nobody below goes',
    inside('deleteTree', '(await deleteTree(world, child.partition)) && ', ''),
  ),
  bug(
    'rule 40: the files stay',
    inside('deleteWorkspace', "await deleteFile(space, path, 'any')", 'void path'),
  ),
  rareBug(
    'real: what a letter kept due is sent for ever',
    inside('expiry:isPushed', 'run.head.redeliveries > 0 && ', 'run.head.redeliveries < 0 && '),
  ),
  rareBug(
    'real: a snapshot is left of what is being deleted',
    inside('Executor.afterwards', 'const stays = !isDueToGo(', 'const stays = true || !isDueToGo('),
  ),
  bug(
    'real: what was deleted meanwhile is committed to',
    inside('Transaction.commit', 'if (!this.#committed) return false', ''),
  ),
  testedBug(
    'real: a subagent is refused that another worker has created',
    {
      file: 'test/engine/rest.test.ts',
      title: 'rule 2: a subagent that is refused cannot come of what another worker has begun',
    },
    inside('spawn:refuse', 'if (world.settings.singleProcess && !known)', 'if (!known)'),
  ),
]
