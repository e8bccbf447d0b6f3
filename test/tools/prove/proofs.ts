/**
 * The table of proofs: checks that the gate leaves out because they depend on chance or on the
 * machine, take long, or need third-party programs. `main.ts` runs them.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathsOfTree, ROOT } from './guarded.ts'
import type { Need } from './needs.ts'

export interface Proof {
  readonly name: string
  /** The sentence that is true if the proof is green. */
  readonly proves: string
  /** The reason why the gate leaves it out; `foreign` means that it runs third-party programs. */
  readonly kind: 'measured' | 'chance' | 'long' | 'foreign'
  /** Files and folders on which the result depends. */
  readonly guards: readonly string[]
  /** The program and its arguments; `{seed}` is replaced by the seed that was drawn. */
  readonly command: readonly string[]
  /** Additional environment variables; `{seed}` is replaced, too. */
  readonly env?: Readonly<Record<string, string>>
  /** The usual duration on two cores. */
  readonly minutes: number
  readonly needs?: readonly Need[]
}

/** The commit that is the reference for speed. */
const REFERENCE_COMMIT = '1e9bb4e'

const ENGINE = ['src/core', 'src/engine', 'src/lib', 'src/ports'] as const
const SIMULATOR = [
  ...ENGINE,
  'test/sim/actors',
  'test/sim/cli',
  'test/sim/faults',
  'test/sim/laws',
  'test/sim/shadow',
  'test/sim/world',
] as const
const SERVICE = [...ENGINE, 'src/http', 'src/hosts'] as const
const PACKAGES = 'package-lock.json'
const BUILD = [
  ...[
    'test/tools/build.ts',
    'test/tools/vendor.ts',
    'test/tools/prepare.ts',
    'test/tools/assets.ts',
  ],
  'test/tools/console.ts',
  'test/tools/client-types',
] as const

const sim = (...words: string[]) => ['node', 'test/sim/cli/main.ts', ...words]
const vitest = (...words: string[]) => ['vitest', 'run', ...words]
const TESTS = ['--project', 'unit', '--project', 'e2e'] as const
const PROOFS_PROJECT = ['--project', 'proof'] as const

/** Returns the test files of `npm test` that import a helper of test/support. */
function testsThatUse(helper: string): readonly string[] {
  const folders = /^test\/(?!platforms\/|tools\/).*\.test\.ts$/
  return pathsOfTree()
    .filter((path) => folders.test(path) && !path.endsWith('.proof.test.ts'))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(`/support/${helper}`))
}

/** Returns the test files that the gate shortens, except those with their own proof. */
const fullLength = (): readonly string[] => {
  const own = ['sim/regressions', 'schedule/schedules', 'schedule/when', 'e2e/open-fanout']
  return [
    ...testsThatUse('full.ts'),
    'test/e2e/host.test.ts',
    'test/hostile/fuzz/routes.test.ts',
  ].filter((path) => !own.some((name) => path.endsWith(`${name}.test.ts`)))
}

const FULL = { FULL: '1', PROOF_SEED: '{seed}' } as const
const MEASURE = { MEASURE: '1' } as const

export const PROOFS: readonly Proof[] = [
  {
    name: 'seeds',
    proves: 'No law breaks in 20,000 new simulated worlds.',
    kind: 'chance',
    guards: SIMULATOR,
    command: sim('--seeds', '20000', '--seed', '{seed}', '--quiet'),
    minutes: 45,
  },
  {
    name: 'twice',
    proves: 'A seed produces the same simulated world in every run.',
    kind: 'chance',
    guards: SIMULATOR,
    command: sim('--seeds', '300', '--seed', '{seed}', '--twice'),
    minutes: 2,
  },
  {
    name: 'simulator',
    proves: 'Two hundred fixed worlds break no law, and the laws detect planted bugs in them.',
    kind: 'long',
    guards: SIMULATOR,
    command: vitest(...PROOFS_PROJECT, 'test/sim/run.proof.test.ts'),
    minutes: 2,
  },
  {
    name: 'exhaustive',
    proves: 'One fault of each kind at each operation of the canonical scenarios breaks no law.',
    kind: 'long',
    guards: SIMULATOR,
    command: sim('--exhaustive'),
    minutes: 10,
  },
  {
    name: 'pairs',
    proves: 'Two random faults in one scenario break no law.',
    kind: 'chance',
    guards: SIMULATOR,
    command: sim('--pairs', '--minutes', '9', '--seed', '{seed}'),
    minutes: 9,
  },
  {
    name: 'planted',
    proves: 'A world or a test detects every planted bug; a stale world is searched for again.',
    kind: 'long',
    guards: [...SIMULATOR, 'test/sim/bugs'],
    command: sim('--planted', '--keep'),
    minutes: 45,
  },
  {
    name: 'regressions',
    proves: 'Bugs that the simulator found stay fixed under 25 variations of each kept plan.',
    kind: 'long',
    guards: [...SIMULATOR, 'test/sim/regressions'],
    command: vitest(...TESTS, 'test/sim/regressions.test.ts'),
    env: FULL,
    minutes: 4,
  },
  {
    name: 'schedules',
    proves: 'Over two years and in eight time zones, each due time starts one run.',
    kind: 'long',
    guards: ['src/core/schedule', 'src/engine/schedule', 'src/engine/fire'],
    command: vitest(
      ...TESTS,
      'test/unit/engine/schedule/schedules.test.ts',
      'test/unit/core/schedule/when.test.ts',
    ),
    env: FULL,
    minutes: 4,
  },
  {
    name: 'open-fanout',
    proves: 'A fan-out of 20,000 tasks runs each task once while its server is killed.',
    kind: 'long',
    guards: [...ENGINE, 'src/hosts/node', 'src/hosts/sql'],
    command: vitest(...TESTS, 'test/e2e/open-fanout.test.ts'),
    env: FULL,
    minutes: 3,
  },
  {
    name: 'full-length',
    proves: 'Tests that the gate shortens pass at full length and with inputs of a new seed.',
    kind: 'chance',
    guards: SERVICE,
    command: vitest(...TESTS, ...fullLength()),
    env: FULL,
    minutes: 6,
  },
  {
    name: 'promises',
    proves: 'A test fails when a promise about runs or a rule about credentials is broken.',
    kind: 'long',
    guards: [...ENGINE, 'test/sim/planting', 'test/unit/engine/promises.test.ts'],
    command: ['node', 'test/tools/promises.ts'],
    minutes: 4,
  },
  {
    name: 'mutants',
    proves: 'A test fails when a promise about layers is broken.',
    kind: 'long',
    guards: ['src/core/config', 'src/engine/layers', 'test/sim/planting', 'test/unit/core/config'],
    command: ['node', 'test/tools/mutate-resolve.ts'],
    minutes: 6,
  },
  {
    name: 'fuzz-parsers',
    proves: 'No external text crashes a parser or blocks the thread.',
    kind: 'measured',
    guards: ['src/core', 'src/lib', 'test/hostile/fuzz'],
    command: [
      'node',
      'test/hostile/fuzz/main.ts',
      '--parsers',
      '--minutes',
      '5',
      '--seed',
      '{seed}',
    ],
    minutes: 5,
  },
  {
    name: 'fuzz-routes',
    proves: 'No request causes a 5xx status, an unknown error, or a slow response.',
    kind: 'measured',
    guards: ['src/http', 'src/core', 'test/hostile/fuzz'],
    command: [
      'node',
      'test/hostile/fuzz/main.ts',
      '--routes',
      '--minutes',
      '5',
      '--seed',
      '{seed}',
    ],
    minutes: 5,
  },
  {
    name: 'chaos-node',
    proves: 'A Node server that is killed 50 times loses and repeats nothing that it acknowledged.',
    kind: 'chance',
    guards: [...ENGINE, 'src/hosts/node', 'src/hosts/sql', 'src/http', 'test/hostile/chaos'],
    command: ['node', 'test/hostile/chaos/main.ts', '--kills', '50', '--seed', '{seed}'],
    minutes: 8,
  },
  {
    name: 'chaos-workers',
    proves: 'A Worker that is killed 50 times loses and repeats nothing that it acknowledged.',
    kind: 'chance',
    guards: [...ENGINE, 'src/hosts/cloudflare', 'src/http', 'test/hostile/chaos', 'wrangler.toml'],
    command: [
      'node',
      'test/hostile/chaos/main.ts',
      '--workerd',
      '--kills',
      '50',
      '--seed',
      '{seed}',
    ],
    minutes: 12,
  },
  {
    name: 'chaos-aws',
    proves: 'Two Lambda processes, killed in turn, lose and repeat nothing that they acknowledged.',
    kind: 'chance',
    guards: [
      ...ENGINE,
      'src/hosts/aws',
      'test/hostile/chaos',
      'test/platforms/aws/two-processes.test.ts',
    ],
    command: vitest('--project', 'aws', 'test/platforms/aws/two-processes.test.ts'),
    env: FULL,
    minutes: 5,
    needs: ['java', 'radosgw'],
  },
  {
    name: 'kill',
    proves: 'A server that is killed at random moments completes every run, each subagent once.',
    kind: 'chance',
    guards: [...ENGINE, 'src/hosts/node', 'src/hosts/sql', 'test/e2e/kill.proof.test.ts'],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/kill.proof.test.ts'),
    env: FULL,
    minutes: 2,
  },
  {
    name: 'interop',
    proves: 'Every response of the corpus results in the expected run.',
    kind: 'foreign',
    guards: [
      'src/hosts/models',
      'src/engine/run',
      'test/fixtures/interop',
      'test/e2e/interop.proof.test.ts',
    ],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/interop.proof.test.ts'),
    minutes: 1,
  },
  {
    name: 'traces',
    proves: 'A run whose server is killed has the same trace as an undisturbed run.',
    kind: 'chance',
    guards: ['src/core/trace', 'src/engine/run', 'src/hosts/traces'],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/traces.proof.test.ts'),
    env: FULL,
    minutes: 1,
  },
  {
    name: 'shells',
    proves: 'A harmful command in the real sandbox affects only its run; a long one continues.',
    kind: 'foreign',
    guards: ['src/hosts/sandbox', 'src/hosts/node', 'src/core/machine.ts'],
    command: vitest(
      ...PROOFS_PROJECT,
      'test/e2e/real-shell.proof.test.ts',
      'test/e2e/long-shells.proof.test.ts',
    ),
    env: FULL,
    minutes: 1,
    needs: ['bwrap'],
  },
  {
    name: 'conformance',
    proves: 'Client and server of MCP pass the official conformance suite.',
    kind: 'foreign',
    guards: ['src/http', 'src/hosts/mcp', 'src/hosts/outbound'],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/conformance.proof.test.ts'),
    env: FULL,
    minutes: 1,
    needs: ['registry'],
  },
  {
    name: 'metrics',
    proves: 'The linter of Prometheus accepts /metrics.',
    kind: 'foreign',
    guards: ['src/hosts/metrics', 'src/hosts/node/metrics.ts'],
    command: vitest(...TESTS, 'test/e2e/metrics.test.ts'),
    minutes: 1,
    needs: ['promtool'],
  },
  {
    name: 'aws',
    proves: 'Contracts and stories pass with DynamoDB Local, a real S3, and a server of SQS.',
    kind: 'foreign',
    guards: [
      ...SERVICE,
      'test/platforms/aws',
      'test/support/aws',
      'test/contract',
      'infra/lanes.ts',
    ],
    command: vitest('--project', 'aws'),
    minutes: 8,
    needs: ['java', 'radosgw'],
  },
  {
    name: 'cloudflare',
    proves: 'Contracts and stories pass in workerd.',
    kind: 'foreign',
    guards: [
      ...SERVICE,
      'test/platforms/cloudflare',
      'test/contract',
      'wrangler.toml',
      'infra/migrations',
    ],
    command: vitest('--config', 'test/platforms/cloudflare/vitest.config.ts'),
    minutes: 6,
  },
  {
    name: 'clients-workers',
    proves: 'Official clients of other products work with the Worker.',
    kind: 'foreign',
    guards: ['src/http', 'src/hosts/cloudflare', 'test/clients', 'openapi.yaml'],
    command: ['node', 'test/clients/main.ts', '--workers'],
    minutes: 2,
  },
  {
    name: 'clients-lambda',
    proves: 'Official clients of other products work with the Lambda functions.',
    kind: 'foreign',
    guards: ['src/http', 'src/hosts/aws', 'test/clients', 'openapi.yaml'],
    command: ['node', 'test/clients/main.ts', '--lambda'],
    minutes: 2,
    needs: ['java', 'radosgw'],
  },
  {
    name: 'console',
    proves:
      'In a real browser, the console shows what the log contains, external text stays text, ' +
      'pages of allowed origins use tokens, and only pages of Strata use cookies.',
    kind: 'foreign',
    guards: [
      ...['src/console', 'src/http', 'src/client', 'src/engine/tenant', 'test/console'],
      ...['test/clients', 'test/tools/console.ts', PACKAGES],
    ],
    command: ['node', 'test/console/main.ts'],
    minutes: 15,
    needs: ['chromium', 'registry'],
  },
  {
    name: 'package',
    proves: 'A package installed from its tarball works by its commands, entries, and types.',
    kind: 'foreign',
    guards: [
      ...['package.json', PACKAGES, 'openapi.yaml', 'wrangler.toml', 'src'],
      ...['infra', 'test/clients/package', ...BUILD],
    ],
    command: ['node', 'test/clients/package/main.ts'],
    minutes: 2,
    needs: ['registry'],
  },
  {
    name: 'audit',
    proves: 'No package that users run has a known vulnerability.',
    kind: 'foreign',
    guards: ['package.json', PACKAGES, 'infra/dependencies.md', 'test/tools/audit.ts'],
    command: ['node', 'test/tools/audit.ts'],
    minutes: 1,
    needs: ['registry'],
  },
  {
    name: 'infra',
    proves: 'The CDK app produces the expected stack.',
    kind: 'foreign',
    guards: ['infra'],
    command: ['node', 'infra/test.ts'],
    minutes: 2,
    needs: ['registry'],
  },
  {
    name: 'deploy-aws',
    proves: 'A deployment to AWS works up to the first call of the cloud.',
    kind: 'foreign',
    guards: ['infra', 'src/cli/deploy', 'src/hosts/aws', 'src/hosts/lambda.ts', ...BUILD],
    command: ['node', 'src/cli/strata.ts', 'deploy', 'aws', '--dry-run'],
    minutes: 1,
    needs: ['registry'],
  },
  {
    name: 'deploy-cloudflare',
    proves: 'A deployment to Cloudflare works up to the first call of the cloud.',
    kind: 'foreign',
    guards: [
      ...['src/cli/deploy', 'src/cli/deploy.ts', 'infra/pdf-reader.ts', 'infra/sandbox.toml'],
      ...['src/hosts/cloudflare', 'src/hosts/sandbox', 'src/hosts/sandbox.ts'],
      ...['src/hosts/worker.ts', 'wrangler.toml', ...BUILD],
    ],
    command: ['node', 'src/cli/strata.ts', 'deploy', 'cloudflare', '--dry-run'],
    minutes: 1,
  },
  {
    name: 'image',
    proves: 'The container image of the server can be built.',
    kind: 'foreign',
    guards: ['infra/Dockerfile', 'infra/image.ts', 'package.json', PACKAGES, ...BUILD],
    command: ['node', 'infra/image.ts'],
    minutes: 3,
    needs: ['a container builder', 'registry'],
  },
  ...(['node', 'aws', 'cloudflare'] as const).map(
    (home): Proof => ({
      name: `versions-${home}`,
      proves: `On ${home}, a version that is rolled back leaves data of a newer format unchanged.`,
      kind: 'foreign',
      guards: [...ENGINE, `src/hosts/${home}`, 'test/platforms/versions'],
      command: ['node', 'test/platforms/versions/main.ts', '--home', home, '--guard'],
      minutes: 2,
      needs: home === 'aws' ? ['java', 'radosgw'] : [],
    }),
  ),
  ...(['node', 'aws', 'cloudflare'] as const).map(
    (home): Proof => ({
      name: `outage-${home}`,
      proves: `On ${home}, a fan-out completes, each task once, after minutes without a provider.`,
      kind: 'long',
      guards: [...ENGINE, 'src/hosts/models', `src/hosts/${home}`, 'test/platforms/outage'],
      command: ['node', 'test/platforms/outage/main.ts', '--home', home],
      minutes: 8,
      needs: home === 'aws' ? ['java', 'radosgw'] : [],
    }),
  ),
  {
    name: 'budgets',
    proves: 'Concurrent subagents exceed a shared budget by at most one call, on every platform.',
    kind: 'long',
    guards: [...ENGINE, 'src/hosts/models', 'test/platforms/budgets'],
    command: ['node', 'test/platforms/budgets/main.ts'],
    minutes: 5,
    needs: ['java', 'radosgw'],
  },
  {
    name: 'bounds',
    proves: 'Hostile inputs and slow peers stay within their limits of time and memory.',
    kind: 'measured',
    guards: SERVICE,
    command: vitest(...TESTS, ...testsThatUse('measured')),
    env: MEASURE,
    minutes: 8,
  },
  {
    name: 'media',
    proves: 'All addresses in one request share one time limit.',
    kind: 'measured',
    guards: ['src/engine/inbound', 'src/hosts/outbound', 'src/core/media.ts'],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/media.proof.test.ts'),
    env: MEASURE,
    minutes: 1,
  },
  {
    name: 'flood',
    proves: 'Ten thousand concurrent requests of one key slow the runs of another by at most half.',
    kind: 'measured',
    guards: [
      'src/http/request',
      'src/hosts/node',
      'src/engine/tenant',
      'test/e2e/flood.proof.test.ts',
    ],
    command: vitest(...PROOFS_PROJECT, 'test/e2e/flood.proof.test.ts'),
    env: MEASURE,
    minutes: 1,
  },
  {
    name: 'tenants',
    proves:
      'A run beside 990 other tenants takes at most 1.1 times as long as with one tenant, and ' +
      'tenants beside one with a hundred times their load wait at most 1.5 times as long.',
    kind: 'measured',
    guards: [...SERVICE, 'test/measure/bench/tenants.ts'],
    command: ['node', 'test/measure/bench/tenants.ts', '--bound', '1.1', '--beside', '1.5'],
    minutes: 12,
  },
  {
    name: 'memory',
    proves: 'A hundred endless runs stay within the memory of a small machine.',
    kind: 'measured',
    guards: SERVICE,
    command: vitest(...PROOFS_PROJECT, 'test/e2e/memory.proof.test.ts'),
    env: MEASURE,
    minutes: 1,
  },
  {
    name: 'siege',
    proves: 'During all attacks at once, a Node server serves its other clients.',
    kind: 'measured',
    guards: [...SERVICE, 'test/hostile/siege'],
    command: ['node', 'test/hostile/siege/main.ts', '--seed', '{seed}'],
    minutes: 18,
  },
  {
    name: 'siege-workers',
    proves: 'During attacks, the Worker serves its other clients.',
    kind: 'measured',
    guards: [...ENGINE, 'src/http', 'src/hosts/cloudflare', 'test/hostile/siege'],
    command: ['node', 'test/hostile/siege/main.ts', '--workerd', '--seed', '{seed}'],
    minutes: 4,
  },
  {
    name: 'aws-trips',
    proves: 'A run on Lambda waits for at most the stated number of AWS calls.',
    kind: 'chance',
    guards: [...ENGINE, 'src/hosts/aws'],
    command: vitest(...PROOFS_PROJECT, 'test/unit/hosts/aws-trips.proof.test.ts'),
    minutes: 1,
  },
  {
    name: 'speed',
    proves: `A run takes no longer than at ${REFERENCE_COMMIT}, within the spread of the rounds.`,
    kind: 'measured',
    guards: [...SERVICE, PACKAGES],
    command: [
      ...['node', 'test/measure/bench/runs.ts', '--against', REFERENCE_COMMIT, '--judge'],
      ...['--only', 'plain,fanout_8,fanout_50,concurrent_100'],
    ],
    minutes: 5,
    needs: ['registry', 'history'],
  },
  {
    name: 'bench-memory',
    proves: "Search in 10,000 passages stays within three times SQLite's full-text search.",
    kind: 'measured',
    guards: ['src/core/memory', 'src/engine/memory'],
    command: ['node', 'test/measure/bench/memory.ts'],
    minutes: 3,
  },
  ...benches({
    aws: ['test/measure/bench/aws.ts'],
    encryption: ['test/measure/bench/encryption.ts', '--rounds', '4', '--runs', '50'],
    fanouts: ['test/measure/bench/fanouts.ts', '--tasks', '2000'],
    lists: ['test/measure/bench/lists.ts', '--runs', '10000'],
    resolve: ['test/measure/bench/resolve.ts'],
    sessions: ['test/measure/bench/sessions.ts', '--turns', '1000'],
    shell: ['test/measure/bench/shell.ts', '--rounds', '1'],
    store: ['test/measure/bench/store.ts'],
    workers: ['test/measure/bench/workers.ts', '--rounds', '1'],
  }),
]

/** Proofs that benchmarks without a bound still run. */
function benches(commands: Readonly<Record<string, readonly string[]>>): readonly Proof[] {
  return Object.entries(commands).map(([name, words]) => ({
    name: `bench-${name}`,
    proves: `The benchmark of ${name} completes.`,
    kind: 'long',
    guards: ['test/measure/bench'],
    command: ['node', ...words],
    minutes: 2,
  }))
}
