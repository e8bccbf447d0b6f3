/** The numbers of the queues, in a file that needs no CDK: the simulator has the same ones. */

/** The longest that Lambda allows: a model may take minutes. */
export const FUNCTION_MINUTES = 15
/** AWS asks for six times the function's own; alarms heal what is lost long before. */
export const VISIBILITY_MINUTES = 6 * FUNCTION_MINUTES
/** A wake that failed three times is no wake of ours, or its function dies of it. */
export const RECEIVES = 3
