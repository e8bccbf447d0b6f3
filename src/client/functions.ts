/** Functions of this program that the model of a run can call. */

import type { components } from './contract.ts'
import { ProblemError } from './errors.ts'
import type { WithUndefined } from './methods.ts'

type Schemas = components['schemas']
type Declaration = Schemas['FunctionDeclaration']

/** Run and call that identify a function call; a retry passes the same values. */
export interface CallOfFunction {
  readonly run: string
  readonly call: string
}
/**
 * Handles a call and returns the result for the model: text unchanged, other values as JSON. An
 * exception is reported to the model as a failed call. The function may be called again for the
 * same call if the program ended before the result was stored.
 */
// biome-ignore lint/suspicious/noExplicitAny: arguments are what `parameters` describe.
export type Handler = (args: any, of: CallOfFunction) => unknown
/** Functions by name, with the descriptions that the model sees. */
export type Functions = Readonly<
  Record<string, Handler | (Omit<Declaration, 'name'> & { readonly handler: Handler })>
>

/** Input of a run, whose functions may include the handlers that perform them. */
export type RunBody = WithUndefined<Omit<Schemas['RunInput'], 'functions'>> & {
  readonly functions?: Functions | Declaration[] | null | undefined
}

/** Splits a run body into the API's run input and the function handlers by name. */
export function declared({ functions, ...input }: RunBody): {
  readonly body: WithUndefined<Schemas['RunInput']>
  readonly handlers: Functions | undefined
} {
  if (!functions) return { body: input, handlers: undefined }
  if (Array.isArray(functions)) return { body: { ...input, functions }, handlers: undefined }
  const handlers = functions as Functions
  const list = Object.entries(handlers).map(([name, definition]): Declaration => {
    if (typeof definition === 'function') return { name, parameters: { type: 'object' } }
    const { handler: _, ...about } = definition
    return { name, ...about }
  })
  return { body: { ...input, functions: list }, handlers }
}

type Answer = (id: string, call: string, result: Schemas['FunctionResult']) => Promise<unknown>

/** Whether this program has a handler for an open function call. */
export const isOurs = (
  { function_calls = [] }: Pick<Schemas['Run'], 'function_calls'>,
  handlers: Functions,
): boolean => function_calls.some(({ name }) => Object.hasOwn(handlers, name))

/**
 * Performs all open calls that have a handler concurrently, and sends their results to the server.
 */
export async function perform(
  { id, function_calls = [] }: Pick<Schemas['Run'], 'id' | 'function_calls'>,
  handlers: Functions,
  answer: Answer,
): Promise<void> {
  const each = function_calls.map(async ({ call, name, arguments: args }) => {
    const definition = Object.hasOwn(handlers, name) ? handlers[name] : undefined
    if (definition === undefined) return
    const handler = typeof definition === 'function' ? definition : definition.handler
    const result = await resultOf(() => handler(args, { run: id, call }))
    try {
      await answer(id, call, result)
    } catch (error) {
      // Another program answered first, the call timed out, or the run has ended; the run's state
      // shows which.
      if (!(error instanceof ProblemError) || error.status !== 409) throw error
    }
  })
  const failed = (await Promise.allSettled(each)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function resultOf(act: () => unknown): Promise<Schemas['FunctionResult']> {
  try {
    return { output: (await act()) ?? null }
  } catch (error) {
    return { error: error instanceof Error ? error.message || error.name : String(error) }
  }
}
