/** Planted bugs of open fan-outs. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, rareBug } from './bug.ts'

export const OPEN_FANOUTS: readonly Bug[] = [
  bug(
    'open fan-out: a page that comes twice is two pages',
    inside('mayExtend', '  pageOf(state, page) === undefined &&\n', ''),
    inside(
      'addPage',
      'if (earlierAnswer) return earlierAnswer const rejection = pageRefused',
      'const rejection = pageRefused',
    ),
  ),
  bug(
    'open fan-out: two requests at once make two of a page',
    inside('mayExtend', '  pageOf(state, page) === undefined &&\n', ''),
  ),
  bug(
    'open fan-out: it ends before its seal',
    inside(
      'machine:barrier',
      'const isComplete = !open || state.sealed',
      'const isComplete = !open || state.seq > 0',
    ),
  ),
  bug(
    'open fan-out: sealed while pages are missing',
    inside('maySeal', '  state.tasks.length === pages &&\n', ''),
    inside('maySeal', '  missingPages(state, pages).length === 0 &&\n', ''),
    inside('sealRefused', 'if (missing.length > 0) {', 'if (missing.length > 1_000) {'),
    inside(
      'sealRefused',
      'if (state.tasks.length === pages) return undefined',
      'if (state.tasks.length <= pages) return undefined',
    ),
  ),
  bug(
    'open fan-out: the end of a page is not owed',
    inside(
      'fanout/evolve:ended',
      'if (draft.spec?.parent) draft.outbox',
      'if (draft.spec?.parent && at < 0) draft.outbox',
    ),
  ),
  rareBug(
    'open fan-out: a page that is not there yet is not cancelled',
    inside(
      'performPageCancel',
      'const spec = specOf(state, call, {})',
      'if (call !== undefined) return { acknowledged }\n  const spec = specOf(state, call, {})',
    ),
  ),
  bug(
    'open fan-out: a page is named by chance',
    inside(
      'pageId',
      "derivedId('fan', fanout, 'page', call)",
      "derivedId('fan', fanout, 'page', call, Math.random())",
    ),
  ),
  bug(
    'open fan-out: the end of a page is told like any other',
    inside('isSubscribedByEndpoints', '/^(?:run|fanout)\\./.test(type)', '/^run\\./.test(type)'),
  ),
  bug(
    'open fan-out: nobody gives up on one that is never sealed',
    inside(
      'sealBy',
      'if (!spec?.open || sealed || released !== null) return undefined',
      'if (spec !== undefined) return undefined',
    ),
  ),
  bug(
    'open fan-out: a late end of a page is dropped',
    inside(
      'isEnd',
      "['subagent.announced', 'subagent.failed', 'page.ended'].includes(fact.type)",
      "['subagent.announced', 'subagent.failed'].includes(fact.type)",
    ),
  ),
  bug(
    'open fan-out: pages are taken after the end of the barrier',
    inside('takesPages', '  state.released === null &&\n', ''),
    inside('takesPages', '  !state.sealed &&\n', ''),
  ),
]
