/**
 * Matches patterns in linear time: a nondeterministic automaton reads the text once, with all
 * alternatives in parallel. Transitions between state lists are cached, so a long text costs one
 * table lookup per character. Without backtracking, no pattern is expensive.
 */

import type { Budget } from './budget.ts'

export type Expression =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean }
  | { readonly kind: 'all'; readonly of: readonly Expression[] }
  | { readonly kind: 'any'; readonly of: readonly Expression[] }
  | Repeat
  | { readonly kind: 'at'; readonly place: Place }

interface Repeat {
  readonly kind: 'repeat'
  readonly of: Expression
  readonly min: number
  /** Maximum number of repetitions; if absent, unlimited. */
  readonly max?: number
  /** True if fewer repetitions are preferred. */
  readonly lazy?: boolean
}

/** Position between characters: the start or end of the text or of a line, or a word boundary. */
export type Place = 'start' | 'end' | 'line-start' | 'line-end' | 'edge' | 'no-edge'

interface Match {
  readonly start: number
  readonly end: number
}

interface AutomatonOptions {
  /** True if a match must begin at the start of the text. */
  readonly anchored?: boolean
  /** True if the automaton is long-lived and must keep little memory between texts. */
  readonly lasting?: boolean
}

type State =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean; readonly to: number }
  /** State that branches to two states and prefers `to`. */
  | { readonly kind: 'both'; readonly to: number; readonly or: number }
  | { readonly kind: 'at'; readonly place: Place; readonly to: number }
  | { readonly kind: 'end' }

/** Class of the adjacent character, as far as position checks depend on it. */
type Side = 'nothing' | 'line-break' | 'word' | 'other'

/** List of states before a character, with cached transitions to the next lists. */
interface Spot {
  /** State numbers, ordered by preference if `isRanked`, otherwise by number. */
  readonly states: readonly number[]
  /** True only in a search for the preferred match, because ranking makes more lists distinct. */
  readonly isRanked: boolean
  readonly before: Side
  readonly ascii: (Step | undefined)[]
  readonly others: Map<number, Step>
}

interface Step {
  readonly to: Spot
  /** For a ranked list, the index of the originating state of each state in `to`. */
  readonly origins: readonly number[]
  /** Index of the state from which the expression can end before the character, or -1. */
  readonly ended: number
}

const ASCII = 128
/** Pseudo-character that follows the last character of the text. */
const END = -1

/** Maximum number of an automaton's states; real-world patterns need fewer. */
const MAX_STATES = 5_000
/** Maximum number of cached spots, and of their states; then the cache is cleared. */
const MAX_SPOTS = 500
const MAX_REMEMBERED = 50_000
/** Cost of creating a state list in addition to its states, in characters of text. */
const NEW_SPOT = 40
/** Maximum number of cached states kept between two texts. */
const MAX_KEPT = 5_000

export class Automaton {
  readonly #states: State[] = []
  readonly #first: number
  readonly #lasting: boolean
  readonly #spots = new Map<string, Spot>()
  /** Total number of states in all cached lists. */
  #remembered = 0
  /** Last round in which each state was visited, which is cheaper than a new set per round. */
  readonly #visited: Uint32Array
  #round = 0

  constructor(
    expression: Expression,
    { anchored = false, lasting = false }: AutomatonOptions = {},
  ) {
    this.#lasting = lasting
    const first = this.#build(expression, this.#add({ kind: 'end' }))
    this.#first = anchored ? first : this.#anywhere(first)
    this.#visited = new Uint32Array(this.#states.length)
  }

  get size(): number {
    return this.#states.length
  }

  /** Reports whether the text matches. Throws `Exhausted` if the budget is exceeded. */
  matches(text: string, budget: Budget): boolean {
    if (this.#lasting && this.#remembered > MAX_KEPT) this.#forget()
    budget.spend(text.length)
    let spot = this.#spot([this.#first], 'nothing', false)
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at)!
      if (code > 0xffff) at += 1
      const step = (code < ASCII ? spot.ascii[code] : undefined) ?? this.#step(spot, code, budget)
      if (step.ended !== -1) return true
      spot = step.to
      if (spot.states.length === 0) return false
    }
    return this.#step(spot, END, budget).ended !== -1
  }

  /**
   * Returns the first match that starts at `from` or later, as a backtracking engine would find it.
   * The automaton must not be anchored. Throws `Exhausted` if the budget is exceeded.
   */
  find(text: string, from: number, budget: Budget): Match | undefined {
    let match: Match | undefined
    const previousSide = sideOf(from === 0 ? END : text.charCodeAt(from - 1))
    let spot = this.#spot([this.#first], previousSide, true)
    let starts: readonly number[] = [from]
    for (let at = from; ; ) {
      const code = text.codePointAt(at) ?? END
      const step = this.#step(spot, code, budget)
      budget.spend(1 + starts.length)
      if (step.ended !== -1) match = { start: starts[step.ended]!, end: at }
      if (code === END || step.to.states.length === 0) return match
      at += code > 0xffff ? 2 : 1
      const { states } = step.to
      const previous = starts
      // Only the first state has no recorded start, because a match may still start there.
      starts = step.origins.map((origin, index) =>
        states[index] === this.#first ? at : previous[origin]!,
      )
      spot = step.to
    }
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw new RangeError('too many repetitions')
    return this.#states.push(state) - 1
  }

  /** Allows any characters before the match; an earlier match is preferred. */
  #anywhere(first: number): number {
    const loop = this.#add({ kind: 'both', to: first, or: 0 })
    const skip = this.#add({ kind: 'one', test: () => true, to: loop })
    this.#states[loop] = { kind: 'both', to: first, or: skip }
    return loop
  }

  /** Builds the states of an expression from its end to its start, and returns the start state. */
  #build(expression: Expression, to: number): number {
    switch (expression.kind) {
      case 'one':
        return this.#add({ kind: 'one', test: expression.test, to })
      case 'at':
        return this.#add({ kind: 'at', place: expression.place, to })
      case 'all':
        return expression.of.reduceRight((after, part) => this.#build(part, after), to)
      case 'any': {
        const [last = to, ...more] = expression.of.map((part) => this.#build(part, to)).reverse()
        return more.reduce((or, branch) => this.#add({ kind: 'both', to: branch, or }), last)
      }
      case 'repeat':
        return this.#buildRepeat(expression, to)
    }
  }

  #buildRepeat({ of, min, max, lazy = false }: Repeat, to: number): number {
    const fork = (more: number): State =>
      lazy ? { kind: 'both', to, or: more } : { kind: 'both', to: more, or: to }
    let at = to
    if (max === undefined) {
      const loop = this.#add(fork(to))
      this.#states[loop] = fork(this.#build(of, loop))
      at = loop
    } else {
      for (let count = max - min; count > 0; count -= 1) at = this.#add(fork(this.#build(of, at)))
    }
    for (let remaining = min; remaining > 0; remaining -= 1) {
      const copy = this.#build(of, at)
      // Stops, because a repetition of an empty match has no effect and could be unlimited.
      if (copy === at) break
      at = copy
    }
    return at
  }

  #spot(states: readonly number[], previousSide: Side, isRanked: boolean): Spot {
    // Cache keys use one character per state, which is faster to create and compare than digits.
    const key = `${isRanked ? '>' : ''}${previousSide}:${String.fromCharCode(...states)}`
    const cached = this.#spots.get(key)
    if (cached !== undefined) return cached
    if (this.#spots.size >= MAX_SPOTS || this.#remembered > MAX_REMEMBERED) this.#forget()
    const ascii = new Array<Step | undefined>(ASCII).fill(undefined)
    const spot = { states, isRanked, before: previousSide, ascii, others: new Map<number, Step>() }
    this.#spots.set(key, spot)
    this.#remembered += states.length + ASCII
    return spot
  }

  #forget(): void {
    for (const spot of this.#spots.values()) {
      spot.others.clear()
      spot.ascii.fill(undefined)
    }
    this.#spots.clear()
    this.#remembered = 0
  }

  #step(spot: Spot, code: number, budget: Budget): Step {
    const isAscii = code >= 0 && code < ASCII
    const cached = isAscii ? spot.ascii[code] : spot.others.get(code)
    if (cached !== undefined) return cached
    const step = this.#after(spot, code, budget)
    if (isAscii) spot.ascii[code] = step
    else spot.others.set(code, step)
    return step
  }

  #after(spot: Spot, code: number, budget: Budget): Step {
    const after = sideOf(code)
    const { ones, from, ended } = this.#reachableStates(spot, after, budget)
    budget.spend(NEW_SPOT + ones.length * 4)
    const states: number[] = []
    const origins: number[] = []
    const char = code === END ? undefined : String.fromCodePoint(code)
    this.#round += 1
    for (let index = 0; char !== undefined && index < ones.length; index += 1) {
      const { to, test } = ones[index]!
      if (this.#visited[to] === this.#round || !test(char)) continue
      this.#visited[to] = this.#round
      states.push(to)
      origins.push(from[index]!)
    }
    if (!spot.isRanked) states.sort((state, other) => state - other)
    return { to: this.#spot(states, after, spot.isRanked), origins, ended }
  }

  /** Returns the states that wait for a character, up to the first where the expression ended. */
  #reachableStates(spot: Spot, after: Side, budget: Budget) {
    this.#round += 1
    const ones: Extract<State, { kind: 'one' }>[] = []
    const from: number[] = []
    for (const [origin, first] of spot.states.entries()) {
      const open = [first]
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (this.#visited[at] === this.#round) continue
        this.#visited[at] = this.#round
        budget.spend(4)
        const state = this.#states[at]!
        if (state.kind === 'end') return { ones, from, ended: origin }
        if (state.kind === 'one') {
          ones.push(state)
          from.push(origin)
        } else if (state.kind === 'both') open.push(state.or, state.to)
        else if (holds(state.place, spot.before, after)) open.push(state.to)
      }
    }
    return { ones, from, ended: -1 }
  }
}

function holds(place: Place, previousSide: Side, after: Side): boolean {
  switch (place) {
    case 'start':
      return previousSide === 'nothing'
    case 'end':
      return after === 'nothing'
    case 'line-start':
      return previousSide === 'nothing' || previousSide === 'line-break'
    case 'line-end':
      return after === 'nothing' || after === 'line-break'
    case 'edge':
      return (previousSide === 'word') !== (after === 'word')
    case 'no-edge':
      return (previousSide === 'word') === (after === 'word')
  }
}

function sideOf(code: number): Side {
  if (code === END) return 'nothing'
  if (code === 10) return 'line-break'
  return code < ASCII && /\w/.test(String.fromCharCode(code)) ? 'word' : 'other'
}
