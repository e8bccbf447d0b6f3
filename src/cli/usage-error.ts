/** Wrong use of the command line: exit code 2, and nothing was done. */

export class WrongUse extends Error {}
