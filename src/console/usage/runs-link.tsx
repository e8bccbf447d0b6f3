/** Number that opens the runs that it counts, if the list of runs has the filter. */

import { Link } from '@tanstack/react-router'
import type { Filters } from '../runs/filters.ts'

interface Props {
  readonly filter: Filters | undefined
  readonly text: string
}

export function RunsLink({ filter, text }: Props) {
  if (!filter) return text
  return (
    <Link
      to="/runs"
      search={filter}
      className="underline decoration-line underline-offset-2 hover:text-accent hover:decoration-current"
    >
      {text}
    </Link>
  )
}
