/** Converts the older JSON of servers to TOML. Callers check first that all of it is understood. */

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

/** The part of the older file that would be lost, as a sentence: mend it before moving the file. */
export function migrationFault({ found: findings, servers }: ParsedConfig): string | undefined {
  const errors = [...findings, ...servers.flatMap(({ faults }) => faults)]
  return errors.find(({ severity }) => severity === 'error')?.message
}
