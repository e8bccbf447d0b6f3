/**
 * Rules of credentials and origins, each broken once, under the name of the test that must turn red.
 * `node test/tools/promises.ts` asks whether it does.
 */

import { inside } from './patch.ts'
import type { BrokenPromise } from './promises.ts'

export const DOORS: readonly BrokenPromise[] = [
  {
    file: 'test/unit/http/tenant/token-reach.test.ts',
    name: 'a token has at most the current rights of its key',
    patches: [
      inside(
        'tokens:verifyToken',
        'scopes: scopes.filter((scope) => holds(key.scopes, scope))',
        'scopes',
      ),
    ],
  },
  {
    file: 'test/unit/http/request/cross-origin.test.ts',
    name: 'only a listed origin can read responses, and no origin with the same suffix',
    patches: [
      inside(
        'crossOrigin',
        'origin === undefined || !allowed.has(origin)',
        `origin === undefined ||
        ![...allowed].some((one) => origin.endsWith(one.replace('https://', '')))`,
      ),
      inside('crossOrigin', 'origin: [...allowed]', 'origin: (given) => given'),
    ],
  },
  {
    file: 'test/unit/http/tenant/scopes.test.ts',
    name: 'layers:write for a prefix writes to the layers below it, by every route',
    patches: [
      inside(
        'layerRefusal',
        'writable.some((root) => prefix.startsWith(root))',
        'writable.some((root) => prefix.startsWith(root.slice(0, -1)))',
      ),
    ],
  },
]
