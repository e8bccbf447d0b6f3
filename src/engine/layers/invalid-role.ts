/**
 * Handles a requested role that has no layer: uses the base layer, and suggests the probable name
 * in a warning. The suggestion costs one-page listings, made while the base layer is listed.
 */

import { warning } from '../../core/config/diagnostic.ts'
import { ROLES } from '../../core/config/layer/select.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { fileKey } from '../../lib/key.ts'
import { distance, nearest } from '../../lib/nearest-name.ts'
import type { World } from '../../ports/world.ts'

/** Returns the warning for an invalid role; `role` and `base` are prefixes. */
export async function invalidRole(
  world: World,
  tenant: string,
  { role, base, dir }: { readonly role: string; readonly base: string; readonly dir: string },
): Promise<Diagnostic[]> {
  const message = `${role} has no config.toml, skills, or agents; ${base} is used instead`
  const older = `${base}${dir}/${role.slice(ROLES.length)}`
  const [names, legacy] = await Promise.all([
    rolesNear(world, tenant, role),
    world.objects.list(fileKey(tenant, older)),
  ])
  const moved = `the skills in ${older} are also read; use POST /v1/layers/migrate to move them`
  const hint = legacy.objects.length > 0 ? moved : hintOf(role, names)
  return [warning('role_layer_invalid', message, { hint })]
}

function hintOf(prefix: string, names: ReadonlySet<string>): string {
  const role = prefix.slice(ROLES.length, -1)
  if (names.has(role)) return `${prefix} has files, but none below .agents/; move them there`
  const near = nearest(role, names)
  const edits = near === undefined ? Number.POSITIVE_INFINITY : distance(role, near.toLowerCase())
  if (edits === 0) return `${ROLES}${near}/ exists; role names are lowercase`
  if (edits <= Math.max(1, Math.floor(role.length / 3))) return `did you mean the role \`${near}\`?`
  return `put the role's files below ${prefix}.agents/`
}

/**
 * Returns folder names below `roles/`. If there are too many, returns only names with the same
 * beginning.
 */
async function rolesNear(world: World, tenant: string, role: string): Promise<Set<string>> {
  const all = fileKey(tenant, ROLES)
  const prefixes = [all, fileKey(tenant, role.slice(0, ROLES.length + 1)), fileKey(tenant, role)]
  const pages = await Promise.all(prefixes.map((prefix) => world.objects.list(prefix)))
  const names = pages
    .flatMap(({ objects }) => objects)
    .map(({ key }) => key.slice(all.length))
    .filter((path) => path.includes('/'))
    .map((path) => path.slice(0, path.indexOf('/')))
  return new Set(names)
}
