/**
 * `strata deploy aws`: deploys the stack with the bundle of the functions, with `-c cdn=true` the
 * web ACL before it, which lies in us-east-1; a dry run makes and checks the templates and asks no
 * account anything.
 */

import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AwsCommand, FIREWALL_ARN, stackName } from './command.ts'
import { isSource, programOf, ROOT, workFolder } from './place.ts'
import { run } from './run.ts'

/** Placeholder for a dry run, which does not know the ARN. */
const NO_FIREWALL = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/unknown/unknown'

export function deployAws({ dry, rest: cdkArgs, lacksFirewall, stage }: AwsCommand): number {
  const cdk = programOf('aws', 'aws-cdk', 'cdk')
  const folder = isSource ? join(ROOT, 'infra') : workFolder('aws')
  const program = join(ROOT, isSource ? 'infra/app.ts' : 'dist/infra/app.js')
  const bundle = prepare(folder)
  const name = stackName(stage)
  /** Makes or deploys the stack, of the app's two, that these settings mean. */
  const act = (stack: string, ...more: readonly string[]): void => {
    // The last word is for the CDK, which takes quotes around the whole away.
    const app = ['--app', `"${process.execPath}" "${program}" .`, '--no-notices']
    const command = dry ? ['synth', '--no-lookups', '--quiet'] : ['deploy', stack]
    run(process.execPath, [cdk, ...command, ...app, '-c', `bundle=${bundle}`, ...more], folder)
    const template = join(folder, `cdk.out/${stack}.template.json`)
    if (dry) console.log(`dry run: ${template} is what would be deployed`)
  }
  if (!lacksFirewall) {
    act(name, ...cdkArgs)
    // The repository's page states the figures of the default.
    const figures = [join(ROOT, 'infra/figures.ts'), 'aws', join(folder, 'cdk.out'), name]
    if (dry && isSource && cdkArgs.length === 0) run(process.execPath, figures, ROOT)
    return 0
  }
  // Separate from the file of the stack's outputs, which the caller names.
  const outputs = join(folder, 'cdk.out/firewall.json')
  const at = cdkArgs.indexOf('--outputs-file')
  const firewallArgs = at < 0 ? cdkArgs : cdkArgs.toSpliced(at, 2)
  act(`${name}-Firewall`, '-c', 'first=firewall', ...firewallArgs, '--outputs-file', outputs)
  const firewallArn = (): string =>
    JSON.parse(readFileSync(outputs, 'utf8'))[`${name}-Firewall`][FIREWALL_ARN]
  act(name, ...cdkArgs, '-c', `firewall=${dry ? NO_FIREWALL : firewallArn()}`)
  return 0
}

/** Copies the functions to a folder and returns it. */
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
