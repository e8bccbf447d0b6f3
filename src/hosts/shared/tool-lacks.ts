/** Lists the reasons why a deployment may lack a built-in tool. */

import { shellExecute } from '../../core/tools/builtin/shell-execute.ts'
import { shellKill } from '../../core/tools/builtin/shell-kill.ts'
import { shellRead } from '../../core/tools/builtin/shell-read.ts'
import { shellStart } from '../../core/tools/builtin/shell-start.ts'
import { shellWrite } from '../../core/tools/builtin/shell-write.ts'
import { webFetch } from '../../core/tools/builtin/web-fetch.ts'
import { webSearch } from '../../core/tools/builtin/web-search.ts'
import { NO_SEARCH } from '../search/search.ts'

/** Reasons why parts that tools need are missing; undefined for each available part. */
export interface MissingParts {
  readonly documents?: string | undefined
  readonly shell?: string | undefined
  readonly processes?: string | undefined
  readonly search?: string | undefined
}

export const NO_PROCESSES = 'long-running processes require a Node server with ALLOW_SHELL=true'
export const NO_DOCUMENTS =
  'this deployment does not support documents; bind the Worker strata-sandbox as ' + 'SANDBOX'
export const NO_SHELL =
  'this deployment does not support commands; bind the Worker strata-sandbox as SANDBOX'

/** Returns the unavailable built-in tools, each with the reason. */
export function toolLacks({
  documents,
  shell,
  processes,
  search,
}: MissingParts): Readonly<Record<string, string>> {
  const reasons = [
    [webFetch, documents],
    [shellExecute, shell],
    ...[shellStart, shellRead, shellWrite, shellKill].map((tool) => [tool, processes] as const),
    [webSearch, search],
  ] as const
  return Object.fromEntries(
    reasons.flatMap(([{ name }, reason]) => (reason === undefined ? [] : [[name, reason]])),
  )
}

/** Every built-in tool that may be unavailable in some deployment. */
export const POSSIBLE_LACKS = toolLacks({
  documents: NO_DOCUMENTS,
  shell: NO_SHELL,
  processes: NO_PROCESSES,
  search: NO_SEARCH,
})
