/** Planted bugs of the audit chain (rule 54). */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

const FILE = 'test/unit/engine/audit/seal.test.ts'

export const AUDIT_BUGS: readonly Bug[] = [
  bug(
    'rule 54: a later pass seals an entry a second time',
    inside('sealedSince', 'sealed.add(versionIn(entry))', 'versionIn(entry)'),
  ),
  bug(
    'rule 54: a link does not follow the one before it',
    inside(
      'appendLinks',
      'const link = linkAfter(last, entry)',
      "const link = linkAfter({ ...last, hash: '' }, entry)",
    ),
  ),
  bug(
    'rule 54: a pass looks past what came after the newest sealed entry',
    inside('searchStart', ' - SETTLE_MS', ' + SETTLE_MS'),
  ),
  testedBug(
    'rule 54: a pass seals what another one has sealed meanwhile',
    { file: FILE, title: 'is sealed once if another pass seals it between two reads' },
    inside(
      'sealNew',
      "if (tip?.head.seq !== seq) return 'conflict'",
      "if (!tip) return 'conflict'",
    ),
  ),
  testedBug(
    'rule 54: an entry that the list shows late is lost',
    {
      file: FILE,
      title: 'is sealed late if the list lags, but not if it is older than the settling time',
    },
    inside('searchStart', ' - SETTLE_MS', ''),
  ),
]
