/**
 * `npm run deploy:aws [-- --dry-run] [-- -c name=value …]`: bundles the functions and deploys the
 * stack; a dry run makes and checks the template and asks no account anything.
 */

import { join } from 'node:path'
import { awsCommand, understood } from './command.ts'
import { INFRA, installInfra, run } from './run.ts'

const { dry, rest } = understood(() => awsCommand(process.argv.slice(2), process.env))
const quiet = ['--no-notices', '--no-lookups']
installInfra()
run(process.execPath, [join(INFRA, 'bundle.ts')])
const cdk = join(INFRA, 'node_modules/aws-cdk/bin/cdk')
const app = ['--app', `${process.execPath} app.ts`]
if (dry) {
  run(process.execPath, [cdk, 'synth', ...app, ...quiet, '--quiet', ...rest], INFRA)
  console.log('dry run: infra/cdk.out/Strata.template.json is what would be deployed')
} else {
  run(process.execPath, [cdk, 'deploy', ...app, '--no-notices', ...rest], INFRA)
}
