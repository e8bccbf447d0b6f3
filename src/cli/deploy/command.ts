/**
 * Command-line options of a deployment. Unknown options are rejected, because a misspelled
 * `--dry-run` must not deploy. `npm run deploy:… --dry-run` without `--` is recognized too: npm
 * consumes the option and passes only a variable.
 */

import { parseArgs } from 'node:util'

type Environment = Readonly<Record<string, string | undefined>>

const isDry = (flag: boolean | undefined, env: Environment): boolean =>
  flag === true || env.npm_config_dry_run === 'true'

/** Setting names that `-c name=value` accepts; documented in infra/settings.ts. */
const SETTING_NAMES = [
  'lane-main',
  'lane-subagent',
  'lane-background',
  'lane-resume',
  'reserve',
  'secret',
  'variables',
  'plain',
  'email',
  'revision',
  'stage',
  'reserve-http',
  'tracing',
  'cdn',
  'firewall',
  'rate',
] as const

const setting = { type: 'string', short: 'c', multiple: true } as const
const text = { type: 'string' } as const

export type AwsCommand = ReturnType<typeof awsCommand>
export type CloudflareCommand = ReturnType<typeof cloudflareCommand>

/**
 * Parses the command line and passes `rest` to the CDK unchanged. Throws an error whose message is
 * shown to the user.
 */
export function awsCommand(args: readonly string[], env: Environment) {
  const options = {
    'dry-run': { type: 'boolean' },
    context: setting,
    'require-approval': text,
    profile: text,
    'role-arn': text,
    'outputs-file': text,
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const { 'dry-run': dry, context = [], ...flags } = values
  for (const pair of context) {
    const [name = ''] = pair.split('=', 1)
    if (!SETTING_NAMES.some((setting) => setting === name) || !pair.includes('='))
      throw new Error(
        `-c must have the form name=value with a name from ${SETTING_NAMES.join(', ')}; got ` +
          `${pair}`,
      )
  }
  const cdkArgs = [
    ...context.flatMap((pair) => ['-c', pair]),
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
  ]
  const settings = Object.fromEntries(context.map((pair) => pair.split(/=(.*)/s, 2)))
  return {
    dry: isDry(dry, env),
    rest: cdkArgs,
    /** Whether a CDN distribution is requested without a web ACL. */
    lacksFirewall: settings.cdn === 'true' && settings.firewall === undefined,
    stage: stageOf(settings.stage),
  }
}

/** Name of the firewall stack's output that contains the web ACL's ARN. */
export const FIREWALL_ARN = 'FirewallArn'

/** Returns the AWS stack name. */
export const stackName = (stage: string | undefined): string =>
  stage === undefined ? 'Strata' : `Strata-${stage}`

export function cloudflareCommand(args: readonly string[], env: Environment) {
  const options = {
    'dry-run': { type: 'boolean' },
    create: { type: 'boolean' },
    stage: text,
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const dry = isDry(values['dry-run'], env)
  if (dry && values.create)
    throw new Error('--create contacts an account and cannot be combined with --dry-run')
  return { dry, create: values.create === true, stage: stageOf(values.stage) }
}

/**
 * Validates a stage name, which becomes part of resource names. Throws an error whose message is
 * shown to the user.
 */
export function stageOf(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z][a-z0-9-]{0,19}$/.test(name)) return name
  throw new Error(
    'a stage name must start with a letter and contain at most 20 characters from a-z, ' +
      `0-9, and -; got ${name}`,
  )
}
