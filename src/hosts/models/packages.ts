/**
 * Packages that implement vendor formats. They are optional dependencies in the versions tested
 * with this release; `openai-compatible` and `workers-ai` need no package.
 */

import type { ProviderKind } from './provider-schema.ts'

const OPENAI = '@ai-sdk/openai@4.0.118'
const GOOGLE = '@ai-sdk/google@4.0.121'
const PACKAGES: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: OPENAI,
  anthropic: '@ai-sdk/anthropic@4.0.105',
  google: GOOGLE,
  vertex: GOOGLE,
  azure: OPENAI,
  'amazon-bedrock': '@ai-sdk/amazon-bedrock@5.0.101',
}

/**
 * Returns the package that providers of this kind lack, as the end of a sentence; undefined if
 * nothing is missing.
 */
export function lackedPackage(
  kind: ProviderKind,
  isInstalled: (name: string) => boolean,
): string | undefined {
  const packageSpec = PACKAGES[kind]
  if (packageSpec === undefined) return undefined
  const name = packageSpec.slice(0, packageSpec.lastIndexOf('@'))
  if (isInstalled(name)) return undefined
  return `requires the package ${name}; run \`npm install ${packageSpec}\` and restart the server.`
}
