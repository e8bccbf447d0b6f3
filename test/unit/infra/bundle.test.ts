/** The Lambda bundle: it serves the texts of the contract as files, and holds nothing that makes them. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundleLambda } from '../../../infra/bundle.ts'

it('the bundle of the functions contains the texts, and no example', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-lambda-'))
  try {
    const { inputs } = await bundleLambda(folder)
    expect(inputs).toContain('src/hosts/lambda-entry.ts')
    expect(
      inputs.filter((path) =>
        /src\/http\/(?:docs|openapi)\/|\/schemas\/fill\.ts$|\.examples\.ts$/.test(path),
      ),
    ).toEqual([])
    expect(readdirSync(join(folder, 'assets'))).toEqual(
      expect.arrayContaining(['docs.html', 'llms.txt', 'openapi.json', 'rapidoc-min.js']),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
