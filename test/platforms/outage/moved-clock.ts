/** Loaded first by a server: its wall clock shows so many ms more as stand in the file MOVED_CLOCK. */

import { readFileSync } from 'node:fs'

const real = Date.now
let ahead = 0
Date.now = () => real() + ahead

setInterval(() => {
  ahead = Number(readFileSync(process.env.MOVED_CLOCK ?? '', 'utf8'))
}, 100).unref()
