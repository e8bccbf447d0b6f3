/** Link to the page of a run. */

import { Link } from '@tanstack/react-router'
import { Plain } from '../text/text.tsx'

export function RunLink({ run, text }: { readonly run: string; readonly text: string }) {
  return (
    <Link to="/runs/$run" params={{ run }} className="text-accent hover:underline">
      <Plain text={text} />
    </Link>
  )
}
