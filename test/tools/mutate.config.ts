/** Runs the resolve tests with one source file changed at load: MUTANT holds the change as JSON. */

import { defineConfig } from 'vitest/config'

const { file, from, to } = JSON.parse(process.env.MUTANT ?? '{}') as Record<string, string>

export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code: string, id: string) {
        if (file === undefined || !id.endsWith(`/${file}`)) return undefined
        if (code.split(from!).length !== 2)
          throw new Error(`${file} does not have it once: ${from}`)
        return code.replace(from!, () => to!)
      },
    },
  ],
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: [
      'test/engine/resolve*.test.ts',
      'test/core/config/{resolve,role,layer,mcp,policy}.test.ts',
      'test/http/policy.test.ts',
    ],
    // A mutant must not be answered by the text of before.
    fsModuleCache: false,
    bail: 1,
    reporters: ['dot'],
    testTimeout: 20_000,
  },
})
