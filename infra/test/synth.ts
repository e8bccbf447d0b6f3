/** The template of the stack, made of the settings that a test gives and without a bundle. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterAll } from 'vitest'
import { settingsOf } from '../settings.ts'
import { StrataStack } from '../stack.ts'

const bundle = mkdtempSync(join(tmpdir(), 'strata-bundle-'))
writeFileSync(join(bundle, 'lambda.mjs'), 'export {}')
afterAll(() => rmSync(bundle, { recursive: true }))

export function synthesized(context: Readonly<Record<string, string>> = {}): Template {
  const app = new App({ context })
  return Template.fromStack(new StrataStack(app, 'Test', { settings: settingsOf(app), bundle }))
}

export const template = synthesized()
