/** Read-only queries on runs. */

import type { Body } from '../../core/message.ts'
import { isRef } from '../../core/message.ts'
import { partialText } from '../../core/run/prompt/transcript.ts'
import { isTerminal } from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import { view } from '../../core/run/views/view.ts'
import type { World } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { childrenList, runPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { headOf } from '../partition/stored.ts'
import { load } from '../tenant/blobs.ts'
import { functionCalls } from './caller-tools.ts'

/** Returns a run as the API represents it, with its output or last text in full. */
export async function readView(
  world: World,
  tenant: string,
  run: Pick<Committed, 'state'>,
): Promise<RunView> {
  const { state } = run
  const text: Body | null = state.output?.text ?? (isTerminal(state) ? partialText(state) : null)
  // Lists omit the task list, which may be long.
  const todos = state.todos === null ? {} : { todos: state.todos.list }
  const calls = await functionCalls(world, tenant, state)
  const more = { ...todos, ...(calls.length === 0 ? {} : { function_calls: calls }) }
  if (text === null || !isRef(text)) return { ...view(state), ...more }
  const full = await load(world, homeOfRun(tenant, state.spec), text)
  return { ...view(state, () => full), ...more }
}

/** Returns runs as lists show them. Deleted runs are omitted. */
export async function runViews(
  world: World,
  tenant: string,
  ids: readonly string[],
): Promise<RunView[]> {
  const heads = await world.store.heads(ids.map((id) => runPartition(tenant, id)))
  return heads.flatMap((row) => (row ? [headOf<RunView>(row.body).view] : []))
}

export const childrenOf = (tenant: string, run: Committed): string =>
  childrenList(tenant, run.state.spec!.id)

export interface TreeNode {
  readonly run: RunView
  readonly children: readonly TreeNode[]
}

/** Returns a run and its descendants as a tree, with children in order of creation. */
export async function runTree(world: World, tenant: string, root: Committed): Promise<TreeNode> {
  return node(world, tenant, await readView(world, tenant, root))
}

async function node(world: World, tenant: string, run: RunView): Promise<TreeNode> {
  const children: TreeNode[] = []
  if (run.children.total > 0) {
    for (const child of await allChildren(world, tenant, run.id)) {
      children.push(await node(world, tenant, child))
    }
  }
  return { run, children }
}

async function allChildren(world: World, tenant: string, parent: string): Promise<RunView[]> {
  const children: RunView[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await world.store.list(childrenList(tenant, parent), cursor, 100)
    children.push(...page.map(({ body }) => headOf<RunView>(body).view))
    cursor = page.at(-1)?.at
    if (page.length < 100) return children.reverse()
  }
}
