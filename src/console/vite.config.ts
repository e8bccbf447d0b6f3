/**
 * The build of the console: pages are chunks of their own, and scripts and styles have digests in
 * their names, so that browsers may cache them for ever. `test/tools/console.ts` runs it.
 */

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = 'http://127.0.0.1:8787'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2024',
    // The policy of the page allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    license: { fileName: 'licenses.txt' },
  },
  // `vite src/console` beside `npm start`, for work on the console.
  server: { proxy: { '/v1': SERVER, '/healthz': SERVER } },
})
