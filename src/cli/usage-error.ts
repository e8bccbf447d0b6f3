/** Command-line usage error: exit code 2, and no action was taken. */

export class WrongUse extends Error {}
