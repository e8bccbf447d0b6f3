/** Display titles of conversations. */

import type { Schemas } from './api.ts'

/**
 * Returns a conversation's title, or else the beginning of its first message, with line breaks
 * escaped.
 */
export const titleOf = ({ title, opening, id }: Schemas['Session']): string =>
  title ?? (opening?.replaceAll('\\n', ' ') || id)
