/** Planted bugs of open fan-outs. */

import { type Bug, bug, FANOUT, patch, TOLD } from './patch.ts'

const OPEN = 'src/core/fanout/open.ts'
const EVOLVE = 'src/core/fanout/evolve.ts'
const STATE = 'src/core/fanout/state.ts'
const CHILD = 'src/core/fanout/child.ts'
const PAGE = 'src/engine/fanout/page.ts'
const PAGES = 'src/engine/fanout/pages.ts'

export const OPEN_FANOUTS: readonly Bug[] = [
  bug(
    'open fan-out: a page that comes twice is two pages',
    patch(OPEN, '  pageOf(state, page) === undefined &&\n', ''),
    patch(
      PAGES,
      'if (there) return there\n  const refused = pageRefused',
      'const refused = pageRefused',
    ),
  ),
  bug(
    'open fan-out: two requests at once make two of a page',
    patch(OPEN, '  pageOf(state, page) === undefined &&\n', ''),
  ),
  bug(
    'open fan-out: it ends before its seal',
    patch(FANOUT, 'const whole = !open || state.sealed', 'const whole = !open || state.seq > 0'),
  ),
  bug(
    'open fan-out: sealed while pages are missing',
    patch(OPEN, '  state.tasks.length === pages &&\n', ''),
    patch(OPEN, '  missingPages(state, pages).length === 0 &&\n', ''),
    patch(PAGES, 'if (missing.length > 0) {', 'if (missing.length > 1_000) {'),
    patch(
      PAGES,
      'if (state.tasks.length === pages) return undefined',
      'if (state.tasks.length <= pages) return undefined',
    ),
  ),
  bug(
    'open fan-out: the end of a page is not owed',
    patch(
      EVOLVE,
      'if (draft.spec?.parent) draft.outbox',
      'if (draft.spec?.parent && at < 0) draft.outbox',
    ),
  ),
  bug(
    'open fan-out: a page that is not there yet is not cancelled',
    patch(
      PAGE,
      'const spec = specOf(state, call, {})',
      'if (call !== undefined) return { acknowledged }\n  const spec = specOf(state, call, {})',
    ),
  ),
  bug(
    'open fan-out: a page is named by chance',
    patch(
      CHILD,
      "named('fan', fanout, 'page', call)",
      "named('fan', fanout, 'page', call, Math.random())",
    ),
  ),
  bug(
    'open fan-out: the end of a page is told like any other',
    patch(TOLD, '/^(?:run|fanout)\\./.test(type)', '/^run\\./.test(type)'),
  ),
  bug(
    'open fan-out: nobody gives up on one that is never sealed',
    patch(
      STATE,
      'if (!spec?.open || sealed || released !== null) return undefined',
      'if (spec !== undefined) return undefined',
    ),
  ),
  bug(
    'open fan-out: a late end of a page is dropped',
    patch(
      FANOUT,
      "['subagent.announced', 'subagent.failed', 'page.ended'].includes(fact.type)",
      "['subagent.announced', 'subagent.failed'].includes(fact.type)",
    ),
  ),
  bug(
    'open fan-out: pages are taken after the end of the barrier',
    patch(OPEN, '  state.released === null &&\n', ''),
    patch(OPEN, '  !state.sealed &&\n', ''),
  ),
]
