/**
 * `strata deploy aws`: deploys the stack with the function bundle; `-c cdn=true` adds a web ACL in
 * us-east-1. A dry run builds and checks the templates without calling any account.
 */

import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AwsCommand, FIREWALL_ARN, stackName } from './command.ts'
import { isSource, programOf, ROOT, workFolder } from './place.ts'
import { run } from './run.ts'

/** Placeholder web ACL ARN for a dry run, where the real ARN is unknown. */
const NO_FIREWALL = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/unknown/unknown'

export function deployAws({ dry, rest: cdkArgs, lacksFirewall, stage }: AwsCommand): number {
  const cdk = programOf('aws', 'aws-cdk', 'cdk')
  const folder = isSource ? join(ROOT, 'infra') : workFolder('aws')
  const program = join(ROOT, isSource ? 'infra/app.ts' : 'dist/infra/app.js')
  const bundle = prepare(folder)
  const name = stackName(stage)
  /** Synthesizes or deploys one of the app's two stacks with the given settings. */
  const act = (stack: string, ...more: readonly string[]): void => {
    // The CDK parses this argument as a command line and strips the outer quotes.
    const app = ['--app', `"${process.execPath}" "${program}" .`, '--no-notices']
    const command = dry ? ['synth', '--no-lookups', '--quiet'] : ['deploy', stack]
    run(process.execPath, [cdk, ...command, ...app, '-c', `bundle=${bundle}`, ...more], folder)
    const template = join(folder, `cdk.out/${stack}.template.json`)
    if (dry) console.log(`dry run: would deploy ${template}`)
  }
  if (!lacksFirewall) {
    act(name, ...cdkArgs)
    // A dry run with the default settings updates the figures in the repository's documentation.
    const figures = [join(ROOT, 'infra/figures.ts'), 'aws', join(folder, 'cdk.out'), name]
    if (dry && isSource && cdkArgs.length === 0) run(process.execPath, figures, ROOT)
    return 0
  }
  // This file is separate from the stack's output file, whose path the caller chooses.
  const outputs = join(folder, 'cdk.out/firewall.json')
  const at = cdkArgs.indexOf('--outputs-file')
  const firewallArgs = at < 0 ? cdkArgs : cdkArgs.toSpliced(at, 2)
  act(`${name}-Firewall`, '-c', 'first=firewall', ...firewallArgs, '--outputs-file', outputs)
  const firewallArn = (): string =>
    JSON.parse(readFileSync(outputs, 'utf8'))[`${name}-Firewall`][FIREWALL_ARN]
  act(name, ...cdkArgs, '-c', `firewall=${dry ? NO_FIREWALL : firewallArn()}`)
  return 0
}

/** Copies the Lambda functions to a folder and returns the folder's path. */
function prepare(folder: string): string {
  const bundle = join(folder, isSource ? 'cdk.out/lambda' : 'lambda')
  if (isSource) {
    run(process.execPath, [join(ROOT, 'infra/bundle.ts')], ROOT)
    return bundle
  }
  rmSync(bundle, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(ROOT, 'dist/lambda'), bundle, { recursive: true })
  cpSync(join(ROOT, 'dist/assets'), join(bundle, 'assets'), { recursive: true })
  cpSync(join(ROOT, 'infra/cdk.json'), join(folder, 'cdk.json'))
  return bundle
}
