/** Usage error on the command line: exit code 2, and no action was taken. */

export class WrongUse extends Error {}
