/** What the two deploy commands do with their command lines, without an account. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import toml from '@iarna/toml'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { awsCommand, cloudflareCommand } from '../../../src/cli/deploy/command.ts'
import { lackedTools } from '../../../src/cli/deploy/place.ts'
import { runUnlessThere } from '../../../src/cli/deploy/run.ts'
import { databaseIn, sandboxFor, wranglerFor } from '../../../src/cli/deploy/stage.ts'

const NO_DATABASE = '00000000-0000-0000-0000-000000000000'
const ROOT = join(import.meta.dirname, '../../..')

describe('a dry run', () => {
  it('is recognized from --dry-run, or from what npm strips and stores in its environment', () => {
    expect(awsCommand(['--dry-run'], {}).dry).toBe(true)
    expect(cloudflareCommand(['--dry-run'], {}).dry).toBe(true)
    // `npm run deploy:aws --dry-run`
    expect(awsCommand([], { npm_config_dry_run: 'true' }).dry).toBe(true)
    expect(cloudflareCommand([], { npm_config_dry_run: 'true' }).dry).toBe(true)
    expect(awsCommand([], {}).dry).toBe(false)
    expect(cloudflareCommand([], {}).dry).toBe(false)
  })

  it.each(['--dryrun', '--dry', '-n', 'dry-run', '--help'])(
    'misspelled as %s deploys nothing',
    (word) => {
      expect(() => awsCommand([word], {})).toThrow(/'-{0,2}\w/)
      expect(() => cloudflareCommand([word], {})).toThrow(/'-{0,2}\w/)
    },
  )
})

it('settings are passed to the CDK, and a misspelled one is not', () => {
  const args = ['-c', 'lane-main=6', '--context', 'plain=A=1,B=2', '--require-approval', 'never']
  expect(awsCommand(args, {}).rest).toEqual([
    ...['-c', 'lane-main=6', '-c', 'plain=A=1,B=2', '--require-approval', 'never'],
  ])
  for (const pair of ['lane_main=6', 'mail=x', 'email'])
    expect(() => awsCommand(['-c', pair], {})).toThrow(
      /-c must have the form name=value with a name from lane-main/,
    )
})

it('a distribution has a firewall, which is created when none is named', () => {
  const arn = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/a/b'
  expect(awsCommand(['-c', 'cdn=true', '-c', 'stage=prod'], {})).toMatchObject({
    lacksFirewall: true,
    stage: 'prod',
  })
  expect(awsCommand(['-c', 'cdn=true', '-c', `firewall=${arn}`], {}).lacksFirewall).toBe(false)
  expect(awsCommand(['-c', 'cdn=false'], {}).lacksFirewall).toBe(false)
  expect(awsCommand([], {})).toMatchObject({ lacksFirewall: false, stage: undefined })
})

describe('the tools of a cloud provider', () => {
  const pinned = (path: string): Record<string, string> => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
    return { ...dependencies, ...devDependencies }
  }
  const { wrangler = '' } = pinned('package.json')
  const { 'aws-cdk': cdk = '', 'aws-cdk-lib': library = '' } = pinned('infra/package.json')

  it('are named with one install command when missing', () => {
    expect(lackedTools('cloudflare', () => undefined)).toMatch(
      `requires wrangler ${wrangler}; run \`npm install --save-dev wrangler@${wrangler}\`, then`,
    )
    expect(lackedTools('aws', () => undefined)).toContain(`aws-cdk@${cdk} aws-cdk-lib@${library}`)
  })

  it('are reported as missing in another version', () => {
    expect(lackedTools('cloudflare', () => '1.0.0')).toContain(`wrangler@${wrangler}`)
    expect(lackedTools('cloudflare', () => wrangler)).toBeUndefined()
  })

  it('are found where this repository installs them', () => {
    expect(lackedTools('cloudflare')).toBeUndefined()
  })
})

describe('the packaged Workers', () => {
  const built = { folder: '/app/.strata/cloudflare', root: '/app/node_modules/strata' }
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

  it('are deployed as bundled, with the files of the package', () => {
    const main = '/app/node_modules/strata/dist/workers/worker.js'
    const made = toml.parse(
      wranglerFor(read('wrangler.toml'), {
        ...{ stage: undefined, database: 'd', built: { ...built, main } },
      }),
    )
    expect(made).toMatchObject({
      main: '../../node_modules/strata/dist/workers/worker.js',
      no_bundle: true,
      assets: { directory: '../../node_modules/strata/dist/assets' },
      d1_databases: [{ migrations_dir: '../../node_modules/strata/infra/migrations' }],
    })
    expect(made).not.toHaveProperty('alias')
    const sandbox = sandboxFor(read('infra/sandbox.toml'), {
      stage: 'x',
      built: { ...built, main: '/app/s.js' },
    })
    expect(toml.parse(sandbox)).toMatchObject({ name: 'strata-x-sandbox', main: '../../s.js' })
  })
})

describe('a Cloudflare deployment', () => {
  it('repeats a creation without failing on existing resources', () => {
    const fail = (said: string) => ['-e', `console.error(${JSON.stringify(said)});process.exit(1)`]
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    onTestFinished(() => exit.mockRestore())
    for (const said of ['Queue name strata-main is already taken.', 'name already exists'])
      runUnlessThere(process.execPath, fail(said), ROOT)
    expect(exit).not.toHaveBeenCalled()
    runUnlessThere(process.execPath, fail('Please enable R2.'), ROOT)
    expect(exit).toHaveBeenCalledWith(1)
  })

  const tracked = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')

  it('a stage names all its resources, and none of another stage', () => {
    const made = wranglerFor(tracked, { stage: 'prod', database: '1b2c' })
    const names = made.match(/"strata[\w-]*"/g) ?? []
    // The Worker, whose objects are its own, the one beside it, the database and the bucket.
    expect(names).toHaveLength(4)
    for (const name of names) expect(name).toMatch(/^"strata-prod/)
    expect(made).toContain('database_id = "1b2c"')
    const { name: _, ...rest } = toml.parse(made)
    const plain = toml.parse(wranglerFor(tracked, { stage: undefined, database: undefined }))
    // The whole of it, but for the names.
    expect(
      JSON.stringify(rest).replaceAll('strata-prod', 'strata').replace('1b2c', NO_DATABASE),
    ).toBe(JSON.stringify({ ...plain, name: undefined }))
    expect(plain).toEqual(toml.parse(tracked))
  })

  it("the ID of the database is found by name in the account's list", () => {
    const listed = `news of wrangler\n${JSON.stringify([
      { uuid: 'a-1', name: 'strata-dev' },
      { uuid: 'b-2', name: 'strata' },
    ])}`
    expect(databaseIn(listed, 'strata')).toBe('b-2')
    expect(databaseIn(listed, 'strata-prod')).toBeUndefined()
  })

  it.each(['Prod', '1st', 'a b', '', 'a'.repeat(21), '../x'])(
    'refuses %j as the name of a stage',
    (name) => {
      expect(() => cloudflareCommand(['--stage', name], {})).toThrow(/a stage name must/)
    },
  )

  it.each([
    [['--dryrun'], /Unknown option '--dryrun'/],
    [['--dry-run', '--create'], /cannot be combined with --dry-run/],
    [['--stage', 'PROD'], /a stage name must/],
  ])('the command itself stops at %s without running anything', (args, said) => {
    const program = join(ROOT, 'src/cli/strata.ts')
    const env = { ...process.env, npm_config_dry_run: '' }
    const ended = spawnSync(process.execPath, [program, 'deploy', 'cloudflare', ...args], {
      encoding: 'utf8',
      env,
    })
    expect(ended.stderr).toMatch(said)
    expect(ended.stdout).toBe('')
    expect(ended.status).toBe(2)
  })
})
