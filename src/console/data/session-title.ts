/** Names of conversations. */

import type { Schemas } from './api.ts'

/** The title, else the beginning of the first message, whose line ends are escapes. */
export const titleOf = ({ title, opening, id }: Schemas['Session']): string =>
  title ?? (opening?.replaceAll('\\n', ' ') || id)
