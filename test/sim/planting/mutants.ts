/**
 * What is promised of layers, flipped one sentence at a time: `node test/tools/mutate-resolve.ts` asks of each
 * whether a test notices. Named by the sentence that no longer holds.
 */

import { inside, type Patch } from './patch.ts'
import type { Planting } from './plant.ts'

const mutant = (name: string, ...patches: Patch[]): Planting => ({ name, patches })

export const MUTANTS: readonly Planting[] = [
  mutant(
    'a valid role layer is the base',
    inside(
      'loadFirst',
      'if (role !== null) { const request',
      `if (role === '') {
    const request`,
    ),
  ),
  mutant(
    'a config key makes a role layer valid',
    inside('Planner.place', 'this.config = file\n      this.valid = true', 'this.config = file'),
  ),
  mutant(
    'an agents directory makes a role layer valid',
    inside(
      'Planner.place',
      'if (agents !== undefined) {\n      this.valid = true',
      'if (agents !== undefined) {',
    ),
  ),
  mutant(
    'a skills directory makes a role layer valid',
    inside('Planner.place', 'if (skills.legacy !== true) this.valid = true', ''),
  ),
  mutant(
    'an invalid role layer is reported',
    inside(
      'invalidRole',
      "return [warning('role_layer_invalid', message, { hint })]",
      'return message === hint ? [] : []',
    ),
  ),
  mutant(
    "a run's workspace cannot be a layer",
    inside(
      'layerFault',
      'if (prefix.startsWith(WORKSPACES)) return "a run\'s workspace cannot be used as a layer"',
      '',
    ),
  ),
  mutant(
    'an invalid role layer is not used',
    inside('loadLayer', 'if (question.onlyIfValid === true && !plan.valid) return undefined', ''),
  ),
  mutant(
    'repo == base is one layer',
    inside(
      'loadLayers',
      'const same = overlay === undefined ||',
      'const same = overlay === undefined || false &&',
    ),
  ),
  mutant(
    'the repository is on top',
    inside('loadLayers', '[first.layer, overlay]', '[overlay, first.layer]'),
  ),
  mutant(
    'role main is the base layer',
    inside(
      'select:roleOf',
      'role === MAIN_ROLE ? null : rolePath(role)',
      "role === MAIN_ROLE + '' + '?' ? null : rolePath(role)",
    ),
  ),
  mutant(
    'base_dir replaces base/',
    inside('chooseLayers', 'base: base.value ?? DEFAULT_BASE', 'base: DEFAULT_BASE'),
  ),
  mutant(
    'skills/main belongs to the base layer',
    inside('Planner.place', "(place.baseOnly !== true || this.kind === 'base')", 'true'),
  ),
  mutant(
    'a label’s role comes before the task’s',
    inside('parseRole', 'labelled?.role ?? prefix?.role', 'prefix?.role ?? labelled?.role'),
  ),
  mutant(
    'a valid prefix is stripped whoever decided',
    inside('parseRole', 'prefix === undefined ? request.task : prefix.rest', 'request.task'),
  ),
  mutant(
    'a role is read in lower case',
    inside('roleName', 'text.trim().toLowerCase()', 'text.trim()'),
  ),
  mutant(
    'a missing repo_dir is refused',
    inside('loadLayers', 'if (!exists) {', 'if (!exists && !repo) {'),
  ),
  mutant(
    'repo_dir means whole segments',
    inside('keyPrefix', 'ok(`$' + '{path.value}/`) : path', 'path : path'),
  ),
  mutant(
    'the overlay’s skill wins',
    inside(
      'foldSkills',
      'if (candidate.skill !== null) {\n      const shadows',
      `if (candidate.skill !== null && previous === undefined) {
      const shadows`,
    ),
  ),
  mutant(
    'a .disabled alone disables an inherited skill',
    inside('foldSkills', '{ ...previous, disabledBy: candidate.disabledBy }', 'previous'),
  ),
  mutant(
    'an overlay skill without .disabled is enabled',
    inside(
      'foldSkills',
      '{ candidate, shadows, disabledBy: candidate.disabledBy }',
      '{ candidate, shadows, disabledBy: candidate.disabledBy ?? previous?.disabledBy ?? null }',
    ),
  ),
  mutant(
    'an unused switch is noted',
    inside(
      'foldSkills',
      "unused.push(note('unused_override', message))",
      'void message, void note',
    ),
  ),
  mutant(
    'an entry that names a transport replaces',
    inside(
      'mergeServer',
      'if (base === undefined || namesTransport(over)) return over',
      'if (base === undefined) return over',
    ),
  ),
  mutant(
    'one that does not amends',
    inside(
      'mergeServer',
      'if (base === undefined || namesTransport(over)) return over',
      'if (base === undefined || over) return over',
    ),
  ),
  mutant(
    'maps merge per key',
    inside('mergeServer', 'const merges = MAPS.includes(key) &&', 'const merges = false &&'),
  ),
  mutant(
    'an explicit {} clears the map',
    inside('mergeServer', 'Object.keys(value as object).length > 0', 'value !== null'),
  ),
  mutant(
    'a disabled server stays listed',
    inside('foldServers', 'servers.push(entry)', 'if (entry.enabled) servers.push(entry)'),
  ),
  mutant(
    'a disabled server is unavailable',
    inside('fold:unusable', 'if (!server.enabled) {', 'if (false) {'),
  ),
  mutant(
    'an inherited fault makes the amended server invalid',
    inside('mergeServer', '[...base.faults, ...over.faults]', 'over.faults'),
  ),
  mutant(
    'an unparsable overlay leaves the base servers',
    inside(
      'mergeAll',
      'for (const raw of source.parsed.servers) {',
      'if (source.parsed.broken) merged.clear()\n    for (const raw of source.parsed.servers) {',
    ),
  ),
  mutant(
    'the later agent wins',
    inside(
      'foldAgents',
      'agents.set(nameKey(agent.id), { ...agent, origin })',
      'if (hidden === undefined) agents.set(nameKey(agent.id), { ...agent, origin })',
    ),
  ),
  mutant(
    'the earlier agent is listed as shadowed',
    inside('foldAgents', 'shadows: shadowsOf(hidden.origin)', 'shadows: []'),
  ),
  mutant(
    'the same id twice in a directory is an error',
    inside('compileAgents', 'if (earlier !== undefined) {', "if (earlier === '') {"),
  ),
  mutant(
    '.claude/ outranks .agents/ for skills',
    inside(
      'layout:PLACES',
      "{ path: '.agents/skills/' },\n  { path: '.claude/skills/' },",
      "{ path: '.claude/skills/' },\n  { path: '.agents/skills/' },",
    ),
  ),
  mutant(
    '.claude/ outranks .agents/ for agents',
    inside(
      'AGENT_PLACES',
      "{ path: '.agents/agents/' },\n  { path: '.claude/agents/' },",
      "{ path: '.claude/agents/' },\n  { path: '.agents/agents/' },",
    ),
  ),
  mutant(
    'what the policy denies is denied',
    inside('fold:unusable', 'if (isDenied(input.policy.deny.servers, name)) {', 'if (false) {'),
  ),
  mutant(
    'a run’s own servers are its only ones',
    inside(
      'foldServers',
      'input.run === null ? ownSources : [input.run]',
      'input.run === null ? ownSources : [...ownSources, input.run]',
    ),
  ),
  mutant(
    'a missing mcp_config_path is refused',
    inside(
      'runServers',
      'if (object === null) {',
      'if (object === null) return ok(null)\n    if (object === null) {',
    ),
  ),
  mutant(
    'an older skill is read only where .agents/ lacks it',
    inside('Planner.skillSlots', "this.skills.get('.agents/skills/')?.has(id) === true", 'false'),
  ),
  mutant(
    'strict refuses warnings',
    inside(
      'resolve:judge',
      'if (selection.strict !== true) return ok(resolved)',
      'if (selection.strict !== null) return ok(resolved)',
    ),
  ),
  mutant(
    'on_duplicate: reject refuses',
    inside(
      'resolve:judge',
      "selection.on_duplicate === 'reject'",
      "(selection.on_duplicate as string) === 'never'",
    ),
  ),
  mutant(
    'a run that starts after an edit sees it',
    inside('sameListing', 'file.etag === other.etag && file.size === other.size', 'true'),
  ),
  mutant(
    'a file written by the API is seen by the next run in every process',
    inside('putStored', 'writeAndStamp(space, path, () =>', 'writeAndStamp(space, "x", () =>'),
  ),
  mutant(
    'a kept listing counts under the stamp from before it',
    inside('Listings.find', 'storedListing?.stamp !== now ||', 'storedListing === undefined || '),
  ),
  mutant(
    'a kept listing counts for 30 s',
    inside('Listings.find', ' || Math.abs(age) >= KEPT_MS', ''),
  ),
  mutant(
    'a missing secret is reported',
    inside('missingSecrets', '!secrets.has(name)', 'secrets.has(name)'),
  ),
  mutant(
    'an unsupported transport is reported',
    inside(
      'fold:unusable',
      'if (input.allowStdio) return noProgram(server, input.machine)',
      'if (true) return undefined',
    ),
  ),
]
