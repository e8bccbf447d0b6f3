/**
 * Converts the legacy JSON file of servers to TOML. Callers first check that every part is
 * supported.
 */

import type { ParsedConfig } from '../server/file.ts'
import { editTable } from '../toml/edit.ts'
import { parseToml } from '../toml/parse.ts'

export function migratedConfig(parsed: ParsedConfig): string {
  let text = ''
  for (const { name, fields } of parsed.servers) {
    const edited = editTable(text, ['mcp_servers', name], { ...fields })
    if (edited.ok && parseToml(edited.value).ok) text = edited.value
  }
  return text
}

/**
 * Describes content of the legacy file that a migration would lose and that must be fixed first;
 * undefined if there is none.
 */
export function migrationFault({ found: findings, servers }: ParsedConfig): string | undefined {
  const errors = [...findings, ...servers.flatMap(({ faults }) => faults)]
  return errors.find(({ severity }) => severity === 'error')?.message
}
