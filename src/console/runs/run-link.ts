/** Address of a run in the console. */

import type { Schemas } from '../data/api.ts'

type Run = Pick<Schemas['Run'], 'id' | 'session_id' | 'parent_run_id'>

/** Returns the link to a run: its conversation, with the run in the panel if it is a subagent. */
export const linkTo = ({ id, session_id, parent_run_id }: Run, isInPanel = false) =>
  ({
    to: '/chat/$session',
    params: { session: session_id },
    search: isInPanel || parent_run_id !== null ? { panel: id } : {},
  }) as const

/** Returns the URL of the link. The router's link component is too slow for rows that scroll. */
export function hrefOf(run: Run): string {
  const { params, search } = linkTo(run)
  const query = new URLSearchParams(search).toString()
  return `${import.meta.env.BASE_URL}chat/${params.session}${query && `?${query}`}`
}
