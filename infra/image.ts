/**
 * `npm run image`: builds the server's image with the builder that this machine has. Without one it
 * says so and ends well: nothing else here needs containers.
 */

import { spawnSync } from 'node:child_process'
import { run } from '../src/cli/deploy/run.ts'
import { ROOT } from './run.ts'

const BUILDERS = ['docker', 'podman', 'buildah']

/** Whether the Docker service responds, which a client without it does not. */
const works = (name: string): boolean => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0

const builder = BUILDERS.find(works)
if (builder === undefined) console.log('image: skipped: no container builder')
else {
  run(builder, ['build', '-f', 'infra/Dockerfile', '-t', 'strata', ROOT], ROOT)
  console.log(`image: built by ${builder}`)
}
