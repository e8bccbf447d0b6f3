/**
 * The build of the console: pages are chunks of their own, and scripts and styles have digests in
 * their names, so that browsers may cache them for ever. `test/tools/console.ts` runs it.
 */

import { basename, dirname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The version for browsers decodes by `innerHTML`, which the policy of the page forbids. */
const ENTITIES = 'decode-named-character-reference'
const ENTITIES_FILE = join(import.meta.dirname, '../../node_modules', ENTITIES, 'index.js')

const SERVER = 'http://127.0.0.1:8787'

/** A page is named by its folder: `chat-DIGEST.js`. */
function chunkName(module: string | null): string {
  const folder = module?.endsWith('/page.tsx') ? basename(dirname(module)) : '[name]'
  return `assets/${folder}-[hash].js`
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss()],
  resolve: { alias: { [ENTITIES]: ENTITIES_FILE } },
  build: {
    target: 'es2024',
    // The policy of the page allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      output: { chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId) },
    },
  },
  // `vite src/console` beside `npm start`, for work on the console.
  server: { proxy: { '/v1': SERVER, '/healthz': SERVER } },
})
