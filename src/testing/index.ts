/**
 * For tests of agents, in vitest or any other runner:
 *
 *     const { text, calls } = await runAgent(files, 'Review a.ts.', { script: '@say Fine.' })
 *
 * With real models and servers once, and by what they answered from then on:
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
