/** Members of a request to OpenAI's API as those of a run's. */

import type { ToolSpec } from '../../../core/message.ts'
import type { ModelSettings } from '../../../core/model-settings.ts'
import type { RunRequest } from '../../../engine/run/request.ts'
import type { FunctionTool } from '../../schemas/protocols/openai-input.ts'

const AGENT = 'agent/'

/** `agent/<name>` is an agent; anything else a model for the default agent, or the session's. */
export const chosenBy = (model = ''): Pick<RunRequest, 'agent' | 'model'> =>
  model === '' ? {} : model.startsWith(AGENT) ? { agent: model.slice(AGENT.length) } : { model }

export const toolsOf = (tools: readonly FunctionTool[]): ToolSpec[] =>
  tools.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    input_schema: parameters ?? { type: 'object', properties: {} },
  }))

/** Undefined members are absent from the request. */
export function settingsBy(settings: ModelSettings): ModelSettings | undefined {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as ModelSettings)
}

/** Texts that end an answer; none is the same as no list. */
export const stopsOf = (stop: string | readonly string[] = []): string[] | undefined => {
  const texts = (typeof stop === 'string' ? [stop] : stop).filter((text) => text !== '')
  return texts.length === 0 ? undefined : texts
}

interface SchemaFormat {
  readonly type: string
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

/** `json_object` is any object. */
export const schemaBy = (format: SchemaFormat | undefined): Pick<RunRequest, 'output_schema'> =>
  format === undefined || format.type === 'text'
    ? {}
    : { output_schema: format.schema ?? { type: 'object' } }
