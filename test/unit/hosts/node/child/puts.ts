/** Replaces one file of the folder named by the argument again and again until it is killed. */

import { openFiles } from '../../../../../src/hosts/node/files.ts'

const objects = openFiles(process.argv[2]!)
console.log('open')
for (let i = 0; ; i += 1) {
  const body = new Uint8Array(200_000).fill(i % 256)
  await objects.put('folder/file', body, 'any')
}
