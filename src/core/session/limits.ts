/** The part of the table of limits that is about sessions. */

import { bound } from '../limit.ts'

export const SESSION_LIMITS = {
  session_title: bound(200, 'Characters of the title of a session; lists show it in a line'),
  session_retention_seconds_max: bound(315_360_000, 'Ten years; who wants longer leaves it out'),
  fork_segments: bound(
    256,
    'Segments (up to 64 KB each) that a fork of a session copies while its caller waits',
  ),
} as const
