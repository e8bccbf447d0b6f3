/** `node infra/test.ts`: installs the CDK when it is not there, checks its types, runs its tests. */

import { installInfra, run } from './run.ts'

installInfra()
run('npx', ['tsc', '--noEmit', '-p', 'infra'])
run('npx', ['vitest', 'run', '--project', 'infra'])
