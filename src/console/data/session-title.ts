/** Titles of conversations. */

import type { Schemas } from './api.ts'

/** Returns the title, or else the beginning of the first message, whose line breaks are escaped. */
export const titleOf = ({ title, opening, id }: Schemas['Session']): string =>
  title ?? (opening?.replaceAll('\\n', ' ') || id)
