/**
 * Runs agents in tests, with Vitest or any other runner:
 *
 *     const { text, calls } = await runAgent(files, 'Review a.ts.', { script: '@say Fine.' })
 *
 * Records real models and servers once, and replays their responses afterwards:
 *
 *     await runAgent(files, 'Review a.ts.', { record: 'tests/review.json' })
 *     const { text } = await runAgent(files, 'Review a.ts.', { replay: 'tests/review.json' })
 */

export { type RecordOptions, record } from './record.ts'
export { RecordingError } from './recording.ts'
export { ReplayError, replay } from './replay.ts'
export {
  type AgentRun,
  type Files,
  type RunAgentOptions,
  runAgent,
  type ToolCall,
} from './run-agent.ts'
export { type ScriptModel, type ScriptModelOptions, scriptModel } from './script-model.ts'
export type { TestSettings, Traffic } from './traffic.ts'
