/**
 * `skill`: progressive disclosure. The tool's description contains the skill catalog; a call
 * returns a skill's instructions, or one of its files by path. Bodies are pinned by digest: a
 * concurrent edit is an error, and the model never gets the new text (PROTOCOL.md rule 43).
 */

import { ONLY_PEOPLE } from '../../core/config/layer/reasons.ts'
import { argumentNamesIn } from '../../core/config/skill/arguments.ts'
import { fillingNote, fillSkill } from '../../core/config/skill/placeholders.ts'
import type { Pin, PinnedSkill } from '../../core/run/log/pin.ts'
import { SKILL_FILES } from '../../core/run/prompt/skill-activation.ts'
import { skill as tool } from '../../core/tools/builtin/skill.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { nameKey } from '../../lib/name.ts'
import type { World } from '../../ports/world.ts'
import { filePath, readFile } from '../layers/files.ts'
import { getKept } from '../tenant/blobs.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { skillFolder } from './paths.ts'
import { notText } from './text-of.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly name: string
  readonly path?: string
  readonly arguments?: string
}

export const skill = performed(tool, { perform: open })

async function open(caller: Caller, input: Args): Promise<ToolAnswer> {
  const { world, tenant, pin } = caller
  const pinned = pinnedSkill(pin, input.name)
  if (!pinned) return bad(noSuchSkill(pin, input.name))
  const folder = skillFolder(pinned.key, caller.place)
  // The path is either a path as shown in the file list, or relative to the skill's folder.
  const path = input.path?.startsWith(`${folder}/`)
    ? input.path.slice(folder.length + 1)
    : input.path
  if (path !== undefined && !/^skill\.md$/i.test(path)) {
    return resource(world, tenant, pinned, path)
  }
  if (pinned.by_people) return bad(unavailable(input.name, ONLY_PEOPLE))
  const args = input.arguments?.trim() ?? ''
  const answer = await instructions(caller, pinned, args)
  // Reading a skill's file, including SKILL.md, does not open the skill.
  const isOpened = answer.status === 'ok' && input.path === undefined
  return isOpened ? { ...answer, opened: { ...pinned, args } } : answer
}

/** Finds a pinned skill by name; visually equal names match. */
function pinnedSkill({ skills }: Pick<Pin, 'skills'>, name: string) {
  const key = nameKey(name.trim())
  return skills.find(({ id }) => nameKey(id) === key)
}

function noSuchSkill({ withheld, skills }: Pin, name: string): string {
  const key = nameKey(name.trim())
  const withheldId = Object.keys(withheld?.skills ?? {}).find((id) => nameKey(id) === key)
  if (withheldId !== undefined) return unavailable(name, withheld!.skills[withheldId]!)
  const names = skills.filter((entry) => !entry.by_people).map(({ id }) => id)
  return `unknown_skill: skill ${JSON.stringify(name)} not found. Skills: ${names.join(', ')}`
}

const unavailable = (name: string, reason: string): string =>
  `skill_unavailable: the skill ${JSON.stringify(name)} is unavailable: ${reason}.`

async function instructions(
  { world, tenant, place, state }: Caller,
  skill: PinnedSkill,
  args: string,
): Promise<ToolAnswer> {
  const file = await readFile({ world, tenant }, skill.key)
  const current = file ? decodeStrict(file.body) : undefined
  const text =
    file && current !== undefined && sha256(file.body) === skill.file_digest
      ? current
      : await getKept(world, tenant, skill.file_digest)
  if (text === undefined) return bad(changed(skill.id))
  const folder = skillFolder(skill.key, place)
  const files = skill.files.map(({ path }) => `- ${folder}/${path}`)
  const list = files.length > 0 ? [`\n${SKILL_FILES}:`, ...files] : []
  const session = state.spec!.session_id
  const result = fillSkill(text, { args, folder, session, names: argumentNamesIn(text) })
  const note = fillingNote(result, args)
  const unplaced = args !== '' && !result.takesArguments ? [`\nArguments:\n${args}`] : []
  const notes = note === undefined ? [] : [`\n${note}`]
  return good([result.text, ...list, ...unplaced, ...notes].join('\n'))
}

async function resource(
  world: World,
  tenant: string,
  skill: PinnedSkill,
  path: string,
): Promise<ToolAnswer> {
  const pinned = skill.files.find((file) => file.path === path)
  const folder = skill.key.slice(0, skill.key.lastIndexOf('/') + 1)
  const key = filePath(`${folder}${path}`)
  if (!pinned || !key.ok) return bad(`not_found: the skill has no file ${JSON.stringify(path)}.`)
  const file = await readFile({ world, tenant }, key.value)
  if (!file) return bad(changed(`${skill.id}/${path}`))
  const text = decodeStrict(file.body)
  if (text === undefined) return bad(notText(path, file.body))
  return good(file.etag === pinned.etag ? text : `[changed_since_resolve]\n${text}`)
}

const changed = (name: string): string =>
  `changed: ${name} was changed or removed after this run started.`
