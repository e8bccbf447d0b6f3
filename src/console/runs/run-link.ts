/** Addresses of a run in the console. */

import type { Schemas } from '../data/api.ts'

type Run = Pick<Schemas['Run'], 'id' | 'session_id'>

/** Returns the link to the page of a run, or to its conversation with the run in the panel. */
export const linkTo = ({ id, session_id }: Run, isInPanel = false) =>
  isInPanel
    ? ({ to: '/chat/$session', params: { session: session_id }, search: { panel: id } } as const)
    : ({ to: '/runs/$run', params: { run: id } } as const)

/** Returns the URL of a run's page. The router's link component is too slow for rows that scroll. */
export const hrefOf = ({ id }: Pick<Run, 'id'>): string => `${import.meta.env.BASE_URL}runs/${id}`
