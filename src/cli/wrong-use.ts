/** What the person who typed must say otherwise: the exit code is 2, and nothing was done. */

export class WrongUse extends Error {}
