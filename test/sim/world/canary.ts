/** Two words that must not get about. */

/** Stands in every secret; must stand nowhere else. */
export const CANARY = 'CANARY5EC2E7CANARY5EC2E7CANARY5E'
/** Stands in every text that tools and models write; must never reach the system role. */
export const UNTRUSTED = 'UNTRUSTED'
