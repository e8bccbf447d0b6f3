/** `strata deploy`: deploys to a cloud account, from a package or from this repository. */

import { Argument } from 'commander'
import type { Add, Done } from './arguments.ts'
import { awsCommand, cloudflareCommand } from './deploy/command.ts'
import { type Cloud, installTools, lackedTools } from './deploy/place.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

const OPTIONS = `
--dry-run                 make and check everything, and ask no account anything
--stage <name>            cloudflare: a deployment of its own beside others
--create                  cloudflare: make database and bucket first
-c, --context name=value  aws: a setting of the stack (stage=NAME, email=…); again: more
--profile, --role-arn, --require-approval, --outputs-file   aws: as the CDK has them
infra/cloudflare.md and infra/aws.md, which the package has too, say more.`

export function deployment(add: Add, terminal: Terminal, done: Done): void {
  add('deploy', 'deploy to an account of a cloud')
    .addArgument(new Argument('<cloud>', 'which').choices(['cloudflare', 'aws']))
    .argument('[options...]', 'see below')
    .allowUnknownOption()
    .addHelpText('after', OPTIONS)
    .action(async (cloud: Cloud, options: readonly string[]) => {
      done(await deploy(terminal, cloud, options))
    })
}

/** Validates all options, then deploys; returns the exit code. */
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
