/**
 * Matching in linear time: an expression becomes a nondeterministic automaton, and a text walks
 * through it once, all ways at a time. The effect of one character on a set of states is
 * remembered, so a long text costs a table access per character. Nothing here ever goes back: no
 * pattern is expensive.
 */

import type { Budget } from './budget.ts'

export type Expression =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean }
  | { readonly kind: 'all'; readonly of: readonly Expression[] }
  | { readonly kind: 'any'; readonly of: readonly Expression[] }
  /** `max` absent: without end. */
  | {
      readonly kind: 'repeat'
      readonly of: Expression
      readonly min: number
      readonly max?: number
    }
  | { readonly kind: 'at'; readonly place: Place }

/** Between two characters: at the text's ends, at a word's edge, inside or outside of words. */
export type Place = 'start' | 'end' | 'edge' | 'no-edge'

type State =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean; readonly to: number }
  | { readonly kind: 'both'; readonly to: number; readonly or: number }
  | { readonly kind: 'at'; readonly place: Place; readonly to: number }
  | { readonly kind: 'end' }

/** A set of states before a character, and what follows from each character that was seen there. */
interface Spot {
  readonly states: readonly number[]
  readonly start: boolean
  readonly afterWord: boolean
  readonly ascii: (Spot | true | undefined)[]
  readonly next: Map<number, Spot | true>
}

const ASCII = 128

/** More states than this are no pattern that a person wrote. */
const MAX_STATES = 5_000
/** Spots that are remembered, and states in them; then all are forgotten and found again. */
const MAX_SPOTS = 500
const MAX_REMEMBERED = 50_000
/** The cost of a spot beside its states: about as much as so many characters of a text. */
const NEW_SPOT = 40
/** The cost of a state that a new spot is found from, each of the two times that it is looked at. */
const STATE = 6
/** The memory kept between two texts, because patterns live as long as their schemas. */
const MAX_KEPT = 5_000

export class Automaton {
  readonly #states: State[] = []
  readonly #first: number
  readonly #whole: boolean
  readonly #spots = new Map<string, Spot>()
  /** States in all spots. */
  #remembered = 0

  /** `whole`: the text must match from its start to its end, instead of somewhere. */
  get size(): number {
    return this.#states.length
  }

  constructor(expression: Expression, whole: boolean) {
    this.#whole = whole
    this.#first = this.#build(expression, this.#add({ kind: 'end' }))
  }

  /** Whether the text matches. Throws `Exhausted` when the budget ends before the text does. */
  matches(text: string, budget: Budget): boolean {
    if (!this.#whole && this.#remembered > MAX_KEPT) this.#forget()
    budget.spend(text.length)
    let spot = this.#spot([this.#first], true, false)
    for (let at = 0; at < text.length; at += 1) {
      let code = text.charCodeAt(at)
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(at)!
        if (code > 0xffff) at += 1
      }
      const known = code < ASCII ? spot.ascii[code] : spot.next.get(code)
      const next = known ?? this.#step(spot, code, budget)
      if (next === true) return true
      if (next.states.length === 0) return false
      spot = next
    }
    return this.#reached(spot, undefined, budget).ended
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw new RangeError('it counts too far')
    return this.#states.push(state) - 1
  }

  /** Built from its end to its start: the answer is the state it begins with. */
  #build(expression: Expression, to: number): number {
    switch (expression.kind) {
      case 'one':
        return this.#add({ kind: 'one', test: expression.test, to })
      case 'at':
        return this.#add({ kind: 'at', place: expression.place, to })
      case 'all':
        return expression.of.reduceRight((after, one) => this.#build(one, after), to)
      case 'any': {
        const [last = to, ...rest] = expression.of.map((one) => this.#build(one, to)).reverse()
        return rest.reduce((or, one) => this.#add({ kind: 'both', to: one, or }), last)
      }
      case 'repeat':
        return this.#buildRepeat(expression, to)
    }
  }

  #buildRepeat({ of, min, max }: Extract<Expression, { kind: 'repeat' }>, to: number): number {
    let at = to
    if (max === undefined) {
      const loop = this.#add({ kind: 'both', to: 0, or: to })
      this.#states[loop] = { kind: 'both', to: this.#build(of, loop), or: to }
      at = loop
    } else {
      for (let left = max - min; left > 0; left -= 1) {
        at = this.#add({ kind: 'both', to: this.#build(of, at), or: to })
      }
    }
    for (let left = min; left > 0; left -= 1) {
      const one = this.#build(of, at)
      // What matches nothing would be copied for nothing, and without end.
      if (one === at) break
      at = one
    }
    return at
  }

  #spot(states: readonly number[], start: boolean, afterWord: boolean): Spot {
    const key = `${start ? '^' : ''}${afterWord ? 'w' : ''}${states.join(',')}`
    const known = this.#spots.get(key)
    if (known !== undefined) return known
    if (this.#spots.size >= MAX_SPOTS || this.#remembered > MAX_REMEMBERED) this.#forget()
    const ascii = new Array<Spot | true | undefined>(ASCII).fill(undefined)
    const spot = { states, start, afterWord, ascii, next: new Map<number, Spot | true>() }
    this.#spots.set(key, spot)
    this.#remembered += states.length + ASCII
    return spot
  }

  #forget(): void {
    for (const spot of this.#spots.values()) {
      spot.next.clear()
      spot.ascii.fill(undefined)
    }
    this.#spots.clear()
    this.#remembered = 0
  }

  #step(spot: Spot, code: number, budget: Budget): Spot | true {
    const next = this.#after(spot, String.fromCodePoint(code), budget)
    if (code < ASCII) spot.ascii[code] = next
    else spot.next.set(code, next)
    return next
  }

  #after(spot: Spot, char: string, budget: Budget): Spot | true {
    const { ones, ended } = this.#reached(spot, char, budget)
    if (ended && !this.#whole) return true
    const after = new Set<number>()
    budget.spend(NEW_SPOT + ones.length * STATE)
    for (const one of ones) {
      if (one.test(char)) after.add(one.to)
    }
    if (!this.#whole) after.add(this.#first)
    return this.#spot(
      [...after].sort((left, right) => left - right),
      false,
      isWord(char),
    )
  }

  /** The states that wait for a character, and whether the end was reached, before `char`. */
  #reached(spot: Spot, char: string | undefined, budget: Budget) {
    const edge = spot.afterWord !== (char !== undefined && isWord(char))
    const holds = { start: spot.start, end: char === undefined, edge, 'no-edge': !edge }
    const seen = new Set<number>()
    const ones: Extract<State, { kind: 'one' }>[] = []
    let ended = false
    const open = [...spot.states]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      budget.spend(STATE)
      const state = this.#states[at]!
      if (state.kind === 'end') ended = true
      else if (state.kind === 'one') ones.push(state)
      else if (state.kind === 'both') open.push(state.or, state.to)
      else if (holds[state.place]) open.push(state.to)
    }
    // Whatever must match as a whole has not ended while characters are left.
    return { ones, ended: ended && (char === undefined || !this.#whole) }
  }
}

const WORD = /^\w$/
const isWord = (char: string): boolean => WORD.test(char)
