/** The raw peers and floods of the tests, where attacks look for them. */

export { FLOODS, HOSTILE, HOSTILE_NAMES, type HostileName } from '../../support/hostile/index.ts'
export { forever } from '../../support/hostile/peer.ts'
