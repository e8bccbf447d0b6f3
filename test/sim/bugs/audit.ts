/** Planted bugs of the audit's chain (`engine/audit`), which no world of the simulator reads. */

import { inside } from '../../planting/patch.ts'
import { type Bug, testedBug } from './bug.ts'

const FILE = 'test/engine/audit-seal.test.ts'

export const AUDIT_BUGS: readonly Bug[] = [
  testedBug(
    'audit: a pass seals what another one sealed meanwhile',
    {
      file: FILE,
      title: 'is sealed once where another pass seals it between two reads of the first',
    },
    inside(
      'sealNew',
      "if (tip?.head.seq !== seq) return 'conflict'",
      "if (!tip) return 'conflict'",
    ),
  ),
  testedBug(
    'audit: a pass that comes again seals its entries again',
    { file: FILE, title: 'is sealed once by many at the same time' },
    inside('sealedSince', 'known.add(versionOf(entry))', 'versionOf(entry)'),
  ),
  testedBug(
    'audit: the list is read from where it was sealed, though it lags',
    { file: FILE, title: 'that a list shows late is sealed late, and one from long ago never' },
    inside('since', ' - SETTLE_MS', ''),
  ),
]
