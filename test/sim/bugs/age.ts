/** What comes with time: snapshots of long logs, wakes that go round, deletion, poison. */

import { inside } from '../planting/patch.ts'
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
  rareBug(
    'rule 35: rounds are not counted',
    inside('Executor.afterwards', '? 0 : wake.staleCount + 1', '? 0 : wake.staleCount'),
  ),
  bug(
    'rule 35: a wake goes round for ever',
    inside(
      'dispatch',
      'if (world.settings.paused || wake.staleCount > MAX_STALE_WAKES) return',
      'if (world.settings.paused) return',
    ),
  ),
  bug(
    'rule 34: what kills its workers is looked at for ever',
    inside('crash-count:judge', ": { kind: 'poison' }", ": { kind: 'alone' }"),
  ),
  bug('rule 40: the deletion is not owed', inside('headAfter', '?? deletedAt ?? null', '?? null')),
  bug(
    'rule 40: what has ended goes at once',
    inside('goneAt', 'state.ended_at + retentionMs', 'state.ended_at'),
  ),
  bug(
    'rule 40: the root goes first',
    inside(
      'deleteRows',
      '  for await (const node of below(world, { partition, head }))\n',
      '  await world.store.drop(partition)\n' +
        '  for await (const node of below(world, { partition, head }))\n',
    ),
  ),
  bug(
    'rule 40: who lives goes too',
    inside(
      'deleteRows',
      'isAtRest(node.head) ? await deleteRows(world, node, all) : ',
      'await deleteRows(world, node, all) ?? ',
    ),
  ),
  bug(
    'rule 40: nobody below goes',
    inside('deleteRows', 'await deleteRows(world, node, all) : ', "'nothing' : "),
  ),
  bug(
    'rule 40: the files stay',
    inside('deleteWorkspace', "await deleteFile(space, path, 'any')", 'void path'),
    // The sweep would find them.
    inside('mayBeOrphan', 'if (age < GRACE_MS) return false', 'if (age > 0) return false'),
  ),
  bug(
    'rule 40: the bodies stay, and no sweep finds them',
    inside('deleteTree', '  await deleteBodies(world, homeOf(tenant, id))\n', ''),
    inside('mayBeOrphan', 'if (age < GRACE_MS) return false', 'if (age > 0) return false'),
  ),
  testedBug(
    'rule 40a: what no log has named stays',
    {
      file: 'test/unit/engine/worker/sweep.test.ts',
      title: 'deletes old orphans and nothing else',
    },
    inside('mayBeOrphan', 'if (age < GRACE_MS) return false', 'if (age > 0) return false'),
  ),
  bug(
    'rule 40a: an owner with a head is not asked for',
    inside('withoutHeads', 'heads[at] != null', 'heads[at] == null'),
  ),
  bug(
    'rule 20a: a session names what lies with its run',
    inside('carry', 'else await putBlob(world, to, text)', ''),
  ),
  rareBug(
    'real: what a letter kept due is sent for ever',
    inside('expiry:isPushed', 'run.head.redeliveries > 0 && ', 'run.head.redeliveries < 0 && '),
  ),
  rareBug(
    'real: a snapshot is left of what is being deleted',
    inside('Executor.afterwards', 'const stays = !isDueToGo(', 'const stays = true || !isDueToGo('),
  ),
  testedBug(
    'rule 40: who is in no list yet stays',
    {
      file: 'test/unit/engine/worker/retention.test.ts',
      title: 'descendants not yet in any list are deleted with their root',
    },
    inside(
      'retention:below',
      'head.children ? await childrenNamed(world, partition) : []',
      '[] as string[]',
    ),
  ),
  testedBug(
    'real: what was deleted meanwhile is committed to',
    {
      file: 'test/unit/engine/run/rest.test.ts',
      title: 'a write to a run deleted concurrently returns not found (rule 40)',
    },
    inside('Transaction.commit', 'if (!this.#committed) return false', ''),
  ),
  testedBug(
    'real: a subagent is refused that another worker has created',
    {
      file: 'test/unit/engine/run/rest.test.ts',
      title:
        'a refused subagent cannot be created by a start already in progress in another worker (rule 2)',
    },
    inside('spawn:refuse', 'if (world.settings.singleProcess && !mayExist)', 'if (!mayExist)'),
  ),
]
