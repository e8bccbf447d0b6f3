/**
 * Vite configuration of the console's build, which `test/tools/console.ts` runs. Pages are separate
 * chunks. Names of scripts and styles contain digests, so that browsers may cache them
 * indefinitely.
 */

import { basename, dirname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * The package's browser version decodes with `innerHTML`, which the page's content security policy
 * forbids.
 */
const ENTITIES = 'decode-named-character-reference'
const ENTITIES_FILE = join(import.meta.dirname, '../../node_modules', ENTITIES, 'index.js')

const WORKER = 'sw.js'
const SERVER = 'http://127.0.0.1:8787'

/** Names the chunk of a page after the page's folder: `chat-DIGEST.js`. */
function chunkName(module: string | null): string {
  const folder = module?.endsWith('/page.tsx') ? basename(dirname(module)) : '[name]'
  return `assets/${folder}-[hash].js`
}

/** Passes the names of the files to cache to the service worker. */
const keptFiles: Plugin = {
  name: 'kept-files',
  generateBundle(_, bundle) {
    const worker = bundle[WORKER]
    if (worker?.type !== 'chunk') throw new Error(`The build does not contain ${WORKER}.`)
    const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
    worker.code = worker.code.replace('__FILES__', JSON.stringify(names.toSorted()))
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss(), keptFiles],
  resolve: { alias: { [ENTITIES]: ENTITIES_FILE } },
  build: {
    target: 'es2024',
    // Assets are not inlined, because the page's content security policy forbids data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'sw.ts')],
      output: {
        // Browsers request the service worker by the same URL in each release.
        entryFileNames: ({ name }) => (name === 'sw' ? WORKER : 'assets/[name]-[hash].js'),
        chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId),
      },
    },
  },
  // Development proxy for the console: `vite src/console` next to `npm start`.
  server: { proxy: { '/v1': SERVER, '/healthz': SERVER } },
})
