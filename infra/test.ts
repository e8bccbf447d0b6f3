/** `node infra/test.ts`: installs the CDK when it is not there, checks its types, runs its tests. */

import { run } from '../src/cli/deploy/run.ts'
import { installInfra, ROOT } from './run.ts'

installInfra()
run('npx', ['tsc', '--noEmit', '-p', 'infra'], ROOT)
run('npx', ['vitest', 'run', '--project', 'infra'], ROOT)
