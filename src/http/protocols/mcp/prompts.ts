/** Offers skills of the base layer as MCP prompts, with the text that the tool `skill` returns. */

import type { GetPromptResult, Server } from '@modelcontextprotocol/server'
import { argumentNamesIn } from '../../../core/config/skill/arguments.ts'
import { fillingNote, fillSkill } from '../../../core/config/skill/placeholders.ts'
import { type Ask, answerOf, grantedBy, invalid, type Members } from './ask.ts'
import type { Caller } from './caller.ts'

interface Skill {
  readonly name: string
  readonly enabled: boolean
  readonly has_skill_md: boolean
  readonly description: string | null
  readonly skill_md?: string
}

/** Prompt argument with the purpose in free text, because skills declare no arguments. */
const ARGUMENTS = [{ name: 'input', description: 'The task to use the skill for' }]

export function servePrompts(server: Server, { ask }: Caller): void {
  server.setRequestHandler('prompts/list', async (_, { mcpReq: { signal } }) => {
    const query = { layer: 'base', include_disabled: 'false' }
    const { data } = await getJson(ask, '/v1/skills', query, signal)
    const prompts = (data as Skill[]).filter(isPrompt).map(({ name, description }) => ({
      name,
      ...(description === null ? {} : { description }),
      arguments: ARGUMENTS,
    }))
    return { prompts }
  })
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq: { signal } }) =>
    prompt(ask, params.name, params.arguments ?? {}, signal),
  )
}

const isPrompt = ({ enabled, has_skill_md }: Skill): boolean => enabled && has_skill_md

async function getJson(
  ask: Ask,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Members> {
  return grantedBy(await answerOf(await ask({ method: 'GET', path, query, signal })))
}

async function prompt(
  ask: Ask,
  name: string,
  { input, ...unknownArgs }: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  const [odd] = Object.keys(unknownArgs)
  if (odd !== undefined)
    throw invalid('invalid_request', `Unknown argument ${odd}; a skill accepts only \`input\`.`)
  const path = `/v1/skills/${encodeURIComponent(name)}`
  const skill = (await getJson(ask, path, { layer: 'base' }, signal)) as unknown as Skill
  if (!isPrompt(skill)) throw invalid('not_found', `The skill ${name} is disabled.`)
  const text = skill.skill_md ?? ''
  const filling = { args: input ?? '', names: argumentNamesIn(text) }
  const filledSkill = fillSkill(text, filling)
  const note = fillingNote(filledSkill, filling.args)
  const texts = [
    filledSkill.text,
    ...(note === undefined ? [] : [note]),
    ...(input === undefined || filledSkill.takesArguments ? [] : [input]),
  ]
  const userMessage = (text: string) => ({
    role: 'user' as const,
    content: { type: 'text' as const, text },
  })
  const { description } = skill
  return { ...(description === null ? {} : { description }), messages: texts.map(userMessage) }
}
