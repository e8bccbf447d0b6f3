/** Functions of this program that the models of its runs call. */

import type { components } from './contract.ts'
import { ProblemError } from './errors.ts'
import type { WithUndefined } from './methods.ts'

type Schemas = components['schemas']
type Declaration = Schemas['FunctionDeclaration']

/** The call that a function performs: stable over repetitions. */
export interface CallOfFunction {
  readonly run: string
  readonly call: string
}
/**
 * Returns what the model reads: text as it is, anything else as JSON. What it throws, the model
 * reads as the failure of its call. It may be called again for the same call where the program has
 * ended before its result was stored.
 */
// biome-ignore lint/suspicious/noExplicitAny: arguments are what `parameters` describe.
export type Handler = (args: any, of: CallOfFunction) => unknown
/** Functions by name, with the description for the model. */
export type Functions = Readonly<
  Record<string, Handler | (Omit<Declaration, 'name'> & { readonly handler: Handler })>
>

/** The input of a run, whose functions may stand with their handlers. */
export type RunBody = WithUndefined<Omit<Schemas['RunInput'], 'functions'>> & {
  readonly functions?: Functions | Declaration[] | null | undefined
}

/** The input as the API takes it, and the handlers by name. */
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

/** True when this program has a handler for an open call. */
export const isOurs = (
  { function_calls = [] }: Pick<Schemas['Run'], 'function_calls'>,
  handlers: Functions,
): boolean => function_calls.some(({ name }) => Object.hasOwn(handlers, name))

/** Performs the open calls that there are handlers for, all at once, and brings their results. */
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
      // Another program was first, time was, or the run has ended: the run says which.
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
