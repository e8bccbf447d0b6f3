/** The panel as it stands in the address: a run, or a call of one. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

export interface Opened {
  readonly run: string
  readonly call: string | undefined
}

/** `run_…`, or `run_….call_…`. */
function parseOpen(value: string | undefined): Opened | undefined {
  const [, run, call] = /^(run_\w+)(?:\.(call_\w+))?$/.exec(value ?? '') ?? []
  return run === undefined ? undefined : { run, call }
}

export function useOpen() {
  const navigate = useNavigate()
  const { open } = useSearch({ strict: false }) as { readonly open?: string }
  return useMemo(() => {
    const go = (next: string | undefined): void => {
      void navigate({ to: '.', search: next === undefined ? {} : { open: next } })
    }
    return {
      opened: parseOpen(open),
      openRun: (run: string) => go(run),
      openCall: (run: string, call: string) => go(`${run}.${call}`),
      close: () => go(undefined),
    }
  }, [open, navigate])
}
