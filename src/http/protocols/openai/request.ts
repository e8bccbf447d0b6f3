/** Maps members of an OpenAI request to members of a run request. */

import type { ToolSpec } from '../../../core/message.ts'
import type { ModelSettings } from '../../../core/model-settings.ts'
import type { RunRequest } from '../../../engine/run/request.ts'
import type { FunctionTool } from '../../schemas/protocols/openai-input.ts'

const AGENT = 'agent/'

/**
 * Selects an agent by `agent/<name>`; any other value names a model for the default agent or the
 * session's agent.
 */
export const chosenBy = (model = ''): Pick<RunRequest, 'agent' | 'model'> =>
  model === '' ? {} : model.startsWith(AGENT) ? { agent: model.slice(AGENT.length) } : { model }

export const toolsOf = (tools: readonly FunctionTool[]): ToolSpec[] =>
  tools.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    input_schema: parameters ?? { type: 'object', properties: {} },
  }))

/** Returns the request's model settings; members that are undefined are absent from the request. */
export function settingsBy(settings: ModelSettings): ModelSettings | undefined {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as ModelSettings)
}

/** Returns the request's stop sequences; undefined for an empty list. */
export const stopsOf = (stop: string | readonly string[] = []): string[] | undefined => {
  const texts = (typeof stop === 'string' ? [stop] : stop).filter((text) => text !== '')
  return texts.length === 0 ? undefined : texts
}

interface SchemaFormat {
  readonly type: string
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the request's output schema; `json_object` allows any object. */
export const schemaBy = (format: SchemaFormat | undefined): Pick<RunRequest, 'output_schema'> =>
  format === undefined || format.type === 'text'
    ? {}
    : { output_schema: format.schema ?? { type: 'object' } }
