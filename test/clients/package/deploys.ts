/** `strata deploy` of an installed package, with the tools that it asks for. */

import { spawnSync } from 'node:child_process'
import { environment, ran } from './packed.ts'

/** Returns the command that a deployment without tools names. Throws when it does anything else. */
function wantedCommand(app: string, cloud: string): readonly string[] {
  const args = ['strata', 'deploy', cloud, '--dry-run']
  const options = { cwd: app, env: environment(), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync('npx', args, options)
  const [, command] = /run `npm (install [^`]+)`/.exec(stderr) ?? []
  if (status === 1 && stdout === '' && command !== undefined) return command.split(' ')
  throw new Error(`deploy ${cloud} without tools ends with ${status}:\n${stdout}${stderr}`)
}

/** Installs the tools of a cloud as the package says, and deploys to it without an account. */
export function dryRun(app: string, cloud: 'cloudflare' | 'aws'): string {
  const command = wantedCommand(app, cloud)
  ran(app, 'npm', ...command, '--no-audit', '--no-fund')
  const out = ran(app, 'npx', 'strata', 'deploy', cloud, '--dry-run')
  const lines = out.split('\n').filter((line) => line.startsWith('dry run: '))
  if (lines.length === 0) throw new Error(`deploy ${cloud} --dry-run says:\n${out}`)
  return lines.join('; ')
}
