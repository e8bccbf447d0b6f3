/** Schedule files of the layers, each with the reason why it is off until enabled. */

import { ProblemError, type Strata } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import type { Selection } from './manage.ts'
import type { Terminal } from './terminal.ts'

interface ScheduleFile {
  /** Path of the schedule file below the tenant's prefix. */
  readonly key: string
  readonly reason: string
  /** Cells of the file's row in the schedules table. */
  readonly cells: readonly (string | undefined)[]
}

/** Returns the schedule files of the base layer and of the layers in `selection`. */
export async function scheduleFiles(
  terminal: Terminal,
  { layers }: Strata,
  { role, repoDir }: Selection,
): Promise<readonly ScheduleFile[]> {
  try {
    const { schedules, records } = await layers.resolve({ role, repo_dir: repoDir })
    const loaded = schedules.map(({ name, request, origin }) => {
      const reason = `disabled; to enable it, run ${switchOn(name, { role, repoDir })}`
      const { cron, at, every, timezone } = request as Readonly<Record<string, string | undefined>>
      const zone = timezone ?? (cron && 'UTC')
      return file(origin.key, name, reason, [cron ?? at ?? every, zone])
    })
    const rejected = records
      .filter(({ kind, status }) => kind === 'schedule' && status === 'rejected')
      .map(({ layer, path, id, diagnostics }) => {
        const failure = diagnostics.find(({ severity }) => severity === 'error')
        const line = failure?.line == null ? '' : `:${failure.line}`
        const reason = `${layer}${path}${line} cannot be loaded: ${failure?.message ?? 'not valid'}`
        return file(layer + path, id ?? path, reason, [undefined, undefined])
      })
    return [...loaded, ...rejected]
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 403) throw error
    terminal.err(oneLine(`strata: could not list disabled schedule files: ${error.message}`))
    return []
  }
}

const file = (
  key: string,
  name: string,
  reason: string,
  when: readonly [string | undefined, string | undefined],
): ScheduleFile => ({ key, reason, cells: [name, 'off', ...when, undefined, undefined, reason] })

function switchOn(name: string, { role, repoDir }: Selection): string {
  const layers = [
    ...(role === undefined ? [] : [`--role ${role}`]),
    ...(repoDir === undefined ? [] : [`--repo-dir ${repoDir}`]),
  ]
  return ['strata schedule', name, '--on', ...layers].join(' ')
}
