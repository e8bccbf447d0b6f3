/** Planted bugs that no world shows in bearable time: each is shown by a test that turns red with it. */

import type { Bug, NamedTest } from '../bugs/bug.ts'
import type { Planting } from '../planting/plant.ts'
import { escaped, runTests } from '../planting/run.ts'

/** Why its test does not show the bug; undefined when it does. Takes seconds: the test runs twice. */
export async function untested(bug: Bug, by: NamedTest): Promise<string | undefined> {
  const whole = await statusOf(by, undefined)
  if (whole !== 'passed') return `without the bug the test is ${whole}`
  const broken = await statusOf(by, bug)
  return broken === 'failed' ? undefined : `with the bug the test is ${broken}`
}

async function statusOf({ file, title }: NamedTest, planting: Planting | undefined) {
  const { statuses } = await runTests(planting, [file], '-t', escaped(title))
  return statuses.get(title) ?? 'not run'
}
