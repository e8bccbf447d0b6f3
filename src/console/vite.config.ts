/**
 * Builds the console into dist/assets/console. Routes are chunks of their own; scripts and styles
 * have digests as names, so that they may be kept for ever.
 */

import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * The loader of layers was written for Node and Workers. Its parsers make code of text where they
 * can, which the page's policy forbids; they digest at once, and one can read streams.
 */
const WITH_EVAL = /node_modules\/(?:@iarna\/toml|gray-matter)\//
const loader: Plugin = {
  name: 'loader-in-a-browser',
  enforce: 'pre',
  resolveId(id) {
    if (id === 'node:crypto') return join(import.meta.dirname, 'pages/layers/sha256.ts')
    return id === 'stream' || id === 'fs' ? '\0none' : null
  },
  load: (id) => (id === '\0none' ? 'export default {}' : null),
  transform(code, id) {
    if (!WITH_EVAL.test(id) || !/\beval\(/.test(code)) return null
    const refused = "(() => { throw new Error('the page makes no code of text') })("
    return { code: code.replaceAll(/\beval\(/g, refused), map: null }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss(), loader],
  // `@iarna/toml` looks for BigInt there.
  define: { global: 'globalThis' },
  build: {
    outDir: join(import.meta.dirname, '../../dist/assets/console'),
    emptyOutDir: true,
    target: 'es2023',
    // Styles of the page come from files alone: data URLs would be a second way.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  // `vite src/console` beside `npm start`, while one works on the console.
  server: { proxy: { '/v1': 'http://127.0.0.1:8787', '/healthz': 'http://127.0.0.1:8787' } },
})
