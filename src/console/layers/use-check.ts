/** Checks an edited text: the server resolves its layers with the text in place of the stored file. */

import { useCallback, useEffect, useState } from 'react'
import { api, ConnectionError } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { inputOf } from '../effective/state.ts'

import { type Finding, findingsOf } from './findings.ts'
import { choiceFor } from './state.ts'
import { MOST_BYTES, sizeOf } from './text.ts'

interface Outcome {
  /** Findings of the last check; undefined before the first one, and if it failed. */
  readonly findings: readonly Finding[] | undefined
  readonly error: unknown
}

const RETRY_MS = 3_000

export interface Check extends Outcome {
  /** Checks a text; undefined if the session may not resolve layers. */
  readonly run: ((text: string, signal: AbortSignal) => Promise<readonly Finding[]>) | undefined
}

export function useCheck(path: string, layer: string): Check {
  const may = useMay('layers:read')
  const [outcome, setOutcome] = useState<Outcome>({ findings: undefined, error: undefined })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is another check.
  const run = useCallback(
    async (text: string, signal: AbortSignal): Promise<readonly Finding[]> => {
      if (sizeOf(text) > MOST_BYTES) return []
      try {
        const overlay = { files: [{ path, text }] }
        const input = { ...inputOf(choiceFor(layer)), overlay }
        const findings = findingsOf(await api.layers.resolve(input, { signal }), path)
        if (!signal.aborted) setOutcome({ findings, error: undefined })
        return findings
      } catch (error) {
        if (!signal.aborted) setOutcome({ findings: undefined, error })
        throw error
      }
    },
    [path, layer, attempt],
  )
  const isOffline = outcome.error instanceof ConnectionError
  useEffect(() => {
    if (!isOffline) return
    const timer = setInterval(() => setAttempt((count) => count + 1), RETRY_MS)
    return () => clearInterval(timer)
  }, [isOffline])
  return { ...outcome, run: may ? run : undefined }
}
