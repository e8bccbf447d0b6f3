/**
 * For tests of agents, in vitest or any other runner:
 *
 *     const { text, calls } = await runAgent(files, 'Review a.ts.', { script: '@say Fine.' })
 */

export {
  type AgentRun,
  type Files,
  type RunAgentOptions,
  runAgent,
  type ToolCall,
} from './run-agent.ts'
export { type ScriptModel, type ScriptModelOptions, scriptModel } from './script-model.ts'
