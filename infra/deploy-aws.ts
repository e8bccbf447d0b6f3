/**
 * `npm run deploy:aws [-- --dry-run] [-- -c name=value …]`: bundles the functions and deploys the
 * stack, with `-c cdn=true` the web ACL before it, which lies in us-east-1; a dry run makes and
 * checks the templates, writes sizes and counts into `infra/aws.md`, and asks no account anything.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { awsCommand, FIREWALL_ARN, stackName, understood } from './command.ts'
import { bundleSizes, resourceCounts, writeFigures } from './figures.ts'
import { INFRA, installInfra, run } from './run.ts'

/** In a dry run nobody knows it. */
const NO_FIREWALL = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/unknown/unknown'
const OUTPUTS = join(INFRA, 'cdk.out/firewall.json')

const { dry, rest, lacksFirewall, stage } = understood(() =>
  awsCommand(process.argv.slice(2), process.env),
)
const name = stackName(stage)
installInfra()
run(process.execPath, [join(INFRA, 'bundle.ts')])
const cdk = join(INFRA, 'node_modules/aws-cdk/bin/cdk')

/** Of the app's two stacks the one that these settings mean. */
function act(stack: string, ...more: string[]): void {
  const app = ['--app', `${process.execPath} app.ts`, '--no-notices']
  const how = dry ? ['synth', '--no-lookups', '--quiet'] : ['deploy', stack]
  run(process.execPath, [cdk, ...how, ...app, ...more], INFRA)
  if (dry) console.log(`dry run: infra/cdk.out/${stack}.template.json is what would be deployed`)
}

function firewallArn(): string {
  // A file that was named is for the stack's own outputs, which come after these.
  const at = rest.indexOf('--outputs-file')
  const others = at < 0 ? rest : rest.toSpliced(at, 2)
  act(`${name}-Firewall`, '-c', 'first=firewall', ...others, '--outputs-file', OUTPUTS)
  if (dry) return NO_FIREWALL
  const outputs = JSON.parse(readFileSync(OUTPUTS, 'utf8'))
  return outputs[`${name}-Firewall`][FIREWALL_ARN]
}

/** Settings change what the pages say of the default. */
function writeDefaults(): void {
  const made = (path: string) => JSON.parse(readFileSync(join(INFRA, 'cdk.out', path), 'utf8'))
  writeFigures('aws.md', 'sizes', bundleSizes(made('lambda.json')))
  writeFigures('aws.md', 'resources', resourceCounts(made(`${name}.template.json`)))
}

if (!lacksFirewall) act(name, ...rest)
else act(name, ...rest, '-c', `firewall=${firewallArn()}`)
if (dry && rest.length === 0) writeDefaults()
