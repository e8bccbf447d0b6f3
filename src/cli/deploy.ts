/** `strata deploy`: deploys to a cloud account, from a package or from this repository. */

import { Argument } from 'commander'
import type { Add, Done } from './arguments.ts'
import { awsCommand, cloudflareCommand } from './deploy/command.ts'
import { type Cloud, installTools, lackedTools } from './deploy/place.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

const OPTIONS = `
--dry-run                 build and check everything without contacting an account
--stage <name>            cloudflare: a separate deployment next to others
--create                  cloudflare: create the database and bucket first
-c, --context name=value  aws: a stack setting (stage=NAME, email=…); repeatable
--profile, --role-arn, --require-approval, --outputs-file   aws: same as in the CDK
For details, see infra/cloudflare.md and infra/aws.md, which are also in the package.`

export function deployment(add: Add, terminal: Terminal, done: Done): void {
  add('deploy', 'deploy to a cloud account')
    .addArgument(new Argument('<cloud>', 'which').choices(['cloudflare', 'aws']))
    .argument('[options...]', 'see below')
    .allowUnknownOption()
    .addHelpText('after', OPTIONS)
    .action(async (cloud: Cloud, options: readonly string[]) => {
      done(await deploy(terminal, cloud, options))
    })
}

/** Validates all options, then runs the deployment; returns the exit code. */
async function deploy(
  { env, err }: Terminal,
  cloud: Cloud,
  options: readonly string[],
): Promise<number> {
  const read = <T>(parse: (options: readonly string[], env: Terminal['env']) => T): T => {
    try {
      return parse(options, env)
    } catch (error) {
      throw new WrongUse((error as Error).message)
    }
  }
  const isReady = (): boolean => {
    installTools(cloud)
    const lack = lackedTools(cloud)
    if (lack !== undefined) err(lack)
    return lack === undefined
  }
  if (cloud === 'aws') {
    const command = read(awsCommand)
    return isReady() ? (await import('./deploy/aws.ts')).deployAws(command) : 1
  }
  const command = read(cloudflareCommand)
  return isReady() ? (await import('./deploy/cloudflare.ts')).deployCloudflare(command) : 1
}
