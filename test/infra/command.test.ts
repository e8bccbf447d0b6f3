/** What the two deploy commands do with their command lines, without an account. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { awsCommand, cloudflareCommand, notReady } from '../../infra/command.ts'
import { runUnlessThere } from '../../infra/run.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('a dry run', () => {
  it('is one when it is misspelt no more than by what npm keeps for itself', () => {
    expect(awsCommand(['--dry-run'], {}).dry).toBe(true)
    expect(cloudflareCommand(['--dry-run'], {}).dry).toBe(true)
    // `npm run deploy:aws --dry-run`
    expect(awsCommand([], { npm_config_dry_run: 'true' }).dry).toBe(true)
    expect(cloudflareCommand([], { npm_config_dry_run: 'true' }).dry).toBe(true)
    expect(awsCommand([], {}).dry).toBe(false)
    expect(cloudflareCommand([], {}).dry).toBe(false)
  })

  it.each(['--dryrun', '--dry', '-n', 'dry-run', '--help'])(
    'misspelt as %s, nothing is deployed',
    (word) => {
      expect(() => awsCommand([word], {})).toThrow(/'-{0,2}\w/)
      expect(() => cloudflareCommand([word], {})).toThrow(/'-{0,2}\w/)
    },
  )
})

it('settings go on to the CDK, a misspelt one does not', () => {
  const args = ['-c', 'lane-main=6', '--context', 'plain=A=1,B=2', '--require-approval', 'never']
  expect(awsCommand(args, {}).rest).toEqual([
    ...['-c', 'lane-main=6', '-c', 'plain=A=1,B=2', '--require-approval', 'never'],
  ])
  for (const pair of ['lane_main=6', 'mail=x', 'email'])
    expect(() => awsCommand(['-c', pair], {})).toThrow(/-c takes name=value, of lane-main/)
})

describe('Cloudflare', () => {
  it('what is there already does not stop a creation that is run again', () => {
    const fail = (said: string) => ['-e', `console.error(${JSON.stringify(said)});process.exit(1)`]
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    onTestFinished(() => exit.mockRestore())
    for (const said of ['Queue name strata-main is already taken.', 'name already exists'])
      runUnlessThere(process.execPath, fail(said))
    expect(exit).not.toHaveBeenCalled()
    runUnlessThere(process.execPath, fail('Please enable R2.'))
    expect(exit).toHaveBeenCalledWith(1)
  })

  it('a database that was not made is told before anybody is asked', () => {
    const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
    expect(notReady(toml)).toMatch(/--create/)
    expect(
      notReady(toml.replace(/database_id = "[0-9-]+"/, 'database_id = "1b2c"')),
    ).toBeUndefined()
  })

  it.each([
    [['--dryrun'], /Unknown option '--dryrun'/],
    [[], /database_id/],
  ])('the command itself ends at %s, having run nothing', (args, said) => {
    const program = join(ROOT, 'infra/deploy-cloudflare.ts')
    const env = { ...process.env, npm_config_dry_run: '' }
    const ended = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env })
    expect(ended.stderr).toMatch(said)
    expect(ended.stdout).toBe('')
    expect(ended.status).toBe(2)
  })
})
