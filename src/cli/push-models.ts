/** Push warnings about the models of agents. Only the server knows its providers and aliases. */

import { ProblemError, type Strata } from '../client/index.ts'
import type { FileRecord } from '../core/config/types.ts'
import type { Checked } from './push-files.ts'
import type { PushReport } from './push-report.ts'

interface Pushed {
  readonly strata: Strata
  readonly report: PushReport
  /** Prefix of the pushed layer, without a trailing slash. */
  readonly base: string
  readonly checked: Checked
  readonly modelPaths: ReadonlySet<string>
}

/** Whether a file is an agent whose text seems to name a model. */
export const namesModel = (record: FileRecord | undefined, body: Uint8Array): boolean =>
  record?.kind === 'agent' && /^["']?models?["']?\s*[:=]/im.test(Buffer.from(body).toString())

/**
 * Reports agents whose model the server does not know; queries the server only if an agent names a
 * model.
 */
export async function tellUnknownModels(pushed: Pushed): Promise<void> {
  const { strata, report, base, checked, modelPaths } = pushed
  if (modelPaths.size === 0) return
  try {
    const { records } = await strata.layers.resolve(selectionOf(base))
    for (const { layer, path, diagnostics } of records) {
      const unknownModels = diagnostics.filter(({ code }) => code === 'model_unknown')
      const record = layer === `${base}/` && modelPaths.has(path) ? checked.get(path) : undefined
      if (record && unknownModels.length > 0)
        report.checked({ ...record, diagnostics: unknownModels })
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    report.note(`could not check the agents' models: ${error.message}`)
  }
}

function selectionOf(base: string): { readonly role?: string; readonly repo_dir?: string } {
  if (base.startsWith('roles/')) return { role: base.slice('roles/'.length) }
  return base === 'base' ? {} : { repo_dir: base }
}
