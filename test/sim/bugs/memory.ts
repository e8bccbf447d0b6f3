/** Planted bugs of memory (rules 49 and 50). */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

const FLUSH = 'test/unit/engine/memory/memory-flush.test.ts'

export const MEMORY_BUGS: readonly Bug[] = [
  testedBug(
    'rule 49: an addition overwrites what others wrote meanwhile',
    {
      file: 'test/unit/engine/memory/memory.test.ts',
      title: 'concurrent additions lose none of each other’s entries',
    },
    inside('files:attempt', "etag === null ? 'absent' : { etag: etag }", "'any'"),
  ),
  bug(
    'rule 49: what is there is added again',
    inside(
      'merge:merged',
      'if (existing.has(normal(entry))) duplicates += 1 else fresh.push(entry)',
      'fresh.push(entry)',
    ),
  ),
  testedBug(
    'rule 49: a refused addition counts as made',
    {
      file: 'test/unit/engine/memory/memory.test.ts',
      title: 'concurrent additions lose none of each other’s entries',
    },
    inside(
      'files:attempt',
      'return isStale(put.error) ? undefined : put',
      "return ok({ ...result, etag: '' })",
    ),
  ),
  bug(
    'rule 49: an index is believed though a file has changed',
    inside('partNow', 'entry?.etag === file.etag', 'entry'),
  ),
  bug(
    'rule 50: a conversation is shortened before what must last is written',
    inside('pending-effects:model', 'if (first) return first', ''),
  ),
  bug(
    'rule 50: what must last is asked for again and again',
    inside('mayFlush', ' && state.flush?.at !== state.steps.length', ''),
  ),
  bug(
    'rule 50: what must last is asked for once in a run',
    inside('mayFlush', 'state.flush?.at !== state.steps.length', 'state.flush === null'),
  ),
  testedBug(
    'rule 50: what the bucket did not take counts as written',
    {
      file: FLUSH,
      title: 'an unavailable bucket loses the note, not the run, which reports it [ME-06 MC-49]',
    },
    inside(
      'writeDown',
      "return { code: 'unavailable', message: error.message }",
      'return { path: String(path), added: 1, duplicates: 0 }',
    ),
    inside('writeDown', 'attempt === TRIES', 'attempt === 1'),
  ),
  testedBug(
    'rule 50: what the bucket did not take is dropped',
    {
      file: FLUSH,
      title: 'an entry the bucket refused is written at the next step, without another model call',
    },
    inside('performFlush', "if (done.code === 'unavailable') unwritten.push(index)", ''),
  ),
  testedBug(
    'rule 50: a run ends before what the bucket did not take is tried again',
    {
      file: FLUSH,
      title: 'an entry the bucket refused at the last step is written before the run completes',
    },
    inside('decide:atEnd', 'owesFlush(state) ? [] : ', ''),
  ),
  testedBug(
    'rule 50: where a provider refuses, nobody is asked what must last',
    {
      file: FLUSH,
      title:
        'also happens when a provider refuses the estimated size, and when no summary model works [ME-02]',
    },
    inside(
      'performNoting',
      'if (!mayFlush(state)) return undefined',
      'if (!mayFlush(state) || noting.refused) return undefined',
    ),
  ),
  testedBug(
    'rule 50: what was left out unwritten is forgotten',
    {
      file: FLUSH,
      title:
        'an unavailable model loses the note, not the run, which reports it and retries [ME-06 MC-49]',
    },
    inside('notes:conversation', '!state.flush?.lost || ', 'true || '),
  ),
  testedBug(
    'memory: a run reaches the memory of others',
    {
      file: 'test/unit/engine/memory/memory.test.ts',
      title: 'never reads or writes the memory of others, regardless of the path',
    },
    inside('memory:pathIn', 'if (allowed.includes(folder)) return path', 'if (folder) return path'),
  ),
  testedBug(
    'memory: files that were not read are not said',
    {
      file: 'test/unit/http/tenant/memory.test.ts',
      title: "changed files beyond one search's limit are reported as stale and found later",
    },
    inside('partNow', 'unread: changed.length - due.length', 'unread: 0'),
  ),
]
