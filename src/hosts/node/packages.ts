/** Reports whether an optional package is installed where this program can load it. */

import { findPackageJSON } from 'node:module'

export function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}
