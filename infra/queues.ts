/** The numbers of the queues, in a file that needs no CDK: the simulator has the same ones. */

/** The longest that Lambda allows: a model may take minutes. */
export const FUNCTION_MINUTES = 15
/** AWS asks for six times the function's own; alarms heal what is lost long before. */
export const VISIBILITY_MINUTES = 6 * FUNCTION_MINUTES
/** So many functions one event source of SQS runs at most: a wider lane has several queues. */
export const SOURCE_WIDTH = 1_000
/** A function's variables hold 4 KB, and each queue's URL stands in them. */
export const WIDEST_LANE = 8_000

/** How many functions the event source of each queue of a lane may run: their sum is its width. */
export function widthsOf(width: number): readonly number[] {
  const queues = Math.ceil(width / SOURCE_WIDTH)
  return Array.from(
    { length: queues },
    (_, index) => Math.floor(width / queues) + (index < width % queues ? 1 : 0),
  )
}

/** A wake that failed three times is no wake of ours, or its function dies of it. */
export const RECEIVES = 3
