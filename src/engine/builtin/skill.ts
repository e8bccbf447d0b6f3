/**
 * `skill`: progressive disclosure. The catalog stands in the tool's description; the instructions
 * come by calling it, files by path. Bodies are pinned by digest: an edit behind the run's back is
 * an error, never the new text (protocol rule 43).
 */

import type { Pin, PinnedSkill } from '../../core/run/pin.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { keyPath } from '../../lib/key.ts'
import type { World } from '../../ports/world.ts'
import { getBlob } from '../blob.ts'
import { fileObject } from '../names.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'

export async function openSkill(
  world: World,
  tenant: string,
  pin: Pin,
  given: { name: string; path?: string },
): Promise<ToolAnswer> {
  const skill = pin.skills.find(({ id }) => id === given.name)
  if (!skill) {
    const names = pin.skills.map(({ id }) => id).join(', ')
    return bad(`unknown_skill: there is no skill ${JSON.stringify(given.name)}. Skills: ${names}`)
  }
  if (given.path === undefined || /^skill\.md$/i.test(given.path)) {
    return instructions(world, tenant, skill)
  }
  return resource(world, tenant, skill, given.path)
}

async function instructions(world: World, tenant: string, skill: PinnedSkill): Promise<ToolAnswer> {
  const file = await world.objects.get(fileObject(tenant, skill.key))
  const current = file ? decodeStrict(file.body) : undefined
  const text =
    file && current !== undefined && sha256(file.body) === skill.file_digest
      ? current
      : await getBlob(world, tenant, skill.file_digest)
  if (text === undefined) return bad(changed(skill.id))
  const files = skill.files.map(({ path }) => `- ${path}`)
  const list = files.length > 0 ? [`\nFiles of this skill (read with \`path\`):`, ...files] : []
  return good([text, ...list].join('\n'))
}

async function resource(
  world: World,
  tenant: string,
  skill: PinnedSkill,
  path: string,
): Promise<ToolAnswer> {
  const pinned = skill.files.find((file) => file.path === path)
  const folder = skill.key.slice(0, skill.key.lastIndexOf('/') + 1)
  const key = keyPath(`${folder}${path}`)
  if (!pinned || !key.ok) return bad(`not_found: the skill has no file ${JSON.stringify(path)}.`)
  const file = await world.objects.get(fileObject(tenant, key.value))
  if (!file) return bad(changed(`${skill.id}/${path}`))
  const text = decodeStrict(file.body)
  if (text === undefined) return bad(`not_text: ${path} is not UTF-8 (${file.body.length} bytes).`)
  return good(file.etag === pinned.etag ? text : `[changed_since_resolve]\n${text}`)
}

const changed = (name: string): string =>
  `changed: ${name} was changed or removed after this run had started.`
