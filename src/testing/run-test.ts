/**
 * Runs one test of a pack: the run, its expectations, and its judges. Each test has a separate
 * in-memory world.
 */

import { dirname, join } from 'node:path'
import { ProblemError } from '../client/index.ts'
import { type Failure, failuresOf } from './expectations.ts'
import { judge } from './judge.ts'
import { record } from './record.ts'
import { RecordingError } from './recording.ts'
import { ReplayError, replay } from './replay.ts'
import { type AgentRun, type Files, type RunAgentOptions, runAgent } from './run-agent.ts'
import { scriptOf } from './script.ts'
import type { TestCase } from './test-file.ts'
import type { TestSettings, Traffic } from './traffic.ts'

export interface TestMeans {
  readonly files: Files
  /** Deployment settings for real models and servers. */
  readonly settings: TestSettings
  /** True if the test's recording is replaced by a new recording from real models and servers. */
  readonly record: boolean
}

export interface TestOutcome {
  /**
   * Result of the test; `error` means that the run was not possible, and `skipped` that no model
   * was available.
   */
  readonly result: 'passed' | 'failed' | 'error' | 'skipped'
  readonly failures: readonly Failure[]
  /** Reason for a skipped test, information on recordings, and warnings of the run. */
  readonly notes: readonly string[]
  /** Cost of the test in dollars, including judges; null if no price is known. */
  readonly cost: number | null
  readonly run?: AgentRun | undefined
}

/**
 * Runs a test; `file` is the path of the test file, to which the recording's path is relative.
 * Rejects only for bugs.
 */
export async function runTest(
  file: string,
  test: TestCase,
  means: TestMeans,
): Promise<TestOutcome> {
  const { settings } = means
  const recording = test.replay === undefined ? undefined : join(dirname(file), test.replay)
  const isScripted = test.script !== undefined || scriptOf(test.input) !== ''
  const needsJudge = test.expect.judge.some(({ script }) => script === undefined)
  const replayed = recording !== undefined && !means.record
  const isReal = recording === undefined ? !isScripted || needsJudge : means.record
  let traffic: Traffic | undefined
  try {
    // The module is loaded on demand, because its import is slow and most tests do not need it.
    const live = isReal ? await import('./live.ts') : undefined
    if (live?.hasModel(settings) === false)
      return skipped(recording === undefined ? lacking(isScripted) : 'the test will be recorded')
    if (recording !== undefined)
      traffic = await (replayed ? replay(recording) : record(recording, { settings }))
    else traffic = await live?.liveTraffic(settings)
    const through = traffic === undefined ? {} : { traffic }
    const scripted = test.script === undefined ? {} : { script: test.script }
    const options = isScripted && recording === undefined ? scripted : through
    const outcome = await judgedRun(test, means.files, { run: options, judge: through })
    const unplayed = traffic?.unplayed() ?? []
    const recordedNote = recording !== undefined && means.record ? [`recorded in ${recording}`] : []
    return { ...outcome, notes: [...outcome.notes, ...unplayed, ...recordedNote] }
  } catch (error) {
    const got = sentence(error)
    if (got === undefined) throw error
    const failures = [{ expected: 'a run', got }]
    return { result: 'error', failures, notes: [], cost: null }
  } finally {
    await traffic?.close()
  }
}

const lacking = (isScripted: boolean): string =>
  isScripted
    ? 'the judge has no `script`'
    : 'the test has neither `script` nor `replay`, and its input is not a script'

function skipped(reason: string): TestOutcome {
  const note = `${reason}, and no model is configured (OPENAI_API_KEY, ANTHROPIC_API_KEY …)`
  return { result: 'skipped', failures: [], notes: [note], cost: null }
}

/** Returns an error's message for users; rethrows other errors, which are bugs. */
const sentence = (error: unknown): string | undefined => {
  if (error instanceof ProblemError) return `${error.code}: ${error.message}`
  const isOurs = error instanceof ReplayError || error instanceof RecordingError
  return isOurs ? error.message : undefined
}

async function judgedRun(
  test: TestCase,
  files: Files,
  options: { readonly run: RunAgentOptions; readonly judge: RunAgentOptions },
): Promise<TestOutcome> {
  const { name: _, description: __, script: ___, replay: ____, expect, ...body } = test
  // Members that are undefined are omitted from the request's JSON.
  const run = await runAgent(files, body as { readonly input: string }, options.run)
  const failures = failuresOf(run, expect)
  const costs = [run.run.cost]
  for (const entry of expect.judge) {
    const verdict = await judge(run, test.input, entry, options.judge)
    costs.push(verdict.cost)
    if (!verdict.pass)
      failures.push({
        expected: `the judge to confirm: ${entry.criterion}`,
        got: `${verdict.reason} (answer: ${JSON.stringify(run.text.slice(0, 200))})`,
      })
  }
  const knownCosts = costs.filter((cost) => cost !== null)
  return {
    result: failures.length === 0 ? 'passed' : 'failed',
    failures,
    notes: (run.run.warnings ?? []).map(({ code, message }) => `warning: ${code}: ${message}`),
    cost: knownCosts.length === 0 ? null : knownCosts.reduce((sum, cost) => sum + cost, 0),
    run,
  }
}
