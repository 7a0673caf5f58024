import { differences } from 'polgate-rego/differences/catalogue.ts'
import { type Answer, agree, type DiffProgram } from './answers.ts'
import { type Case, caseOf } from './cases.ts'
import { listedAs, rules } from './classify.ts'
import { remainder, smaller, smallerByRules } from './edits.ts'
import type { Engines, Found } from './engines.ts'
import { featuresOf } from './features.ts'
import { shrink } from './shrink.ts'
import { withoutNegations } from './without.ts'

/** Programs per request to the peers. */
const BATCH = 100
/** Differences of one entry that are shrunk to see that they are that entry; then one in twenty. */
const CHECKED = 5
/** Unlisted differences that look alike which are shrunk. */
const SIMILAR = 3
/** How many differences of one program are reported separately. */
const MAX_IN_ONE = 6

export type Unlisted = Found & { readonly index: number }

export type Summary = {
  readonly programs: number
  /** Differences by the id of their entry. */
  readonly listed: ReadonlyMap<string, number>
  readonly unlisted: readonly Unlisted[]
  /** Programs by kind of syntax, and by function called. */
  readonly kinds: ReadonlyMap<string, number>
  readonly calls: ReadonlyMap<string, number>
}

type Range = {
  readonly seed: number
  readonly from: number
  readonly programs: number
  /** Ends after this many sorts of unlisted differences. */
  readonly most: number
  readonly progress?: (done: number) => void
  /** Receives each sort of unlisted difference when it is found. */
  readonly found?: (unlisted: Unlisted) => Promise<void>
}

/** Generates programs, compares them, and sorts the differences into listed and unlisted ones. */
export async function search(engines: Engines, range: Range): Promise<Summary> {
  const sorter = new Sorter(engines, range.found)
  const kinds = new Map<string, number>()
  const calls = new Map<string, number>()
  let done = 0
  while (done < range.programs && sorter.unlisted.size < range.most) {
    const cases = Array.from({ length: Math.min(BATCH, range.programs - done) }, (_, i) =>
      caseOf(range.seed, range.from + done + i),
    )
    for (const each of cases) count(each, kinds, calls)
    const found = await engines.differences(cases)
    for (const [i, each] of found.entries()) {
      for (const one of each) await sorter.sort(one, cases[i]!.index)
    }
    done += cases.length
    range.progress?.(done)
  }
  return {
    programs: done,
    listed: sorter.listed,
    unlisted: [...sorter.unlisted.values()],
    kinds,
    calls,
  }
}

function count({ program }: Case, kinds: Map<string, number>, calls: Map<string, number>): void {
  const features = featuresOf(program)
  for (const kind of features.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  for (const name of features.calls) calls.set(name, (calls.get(name) ?? 0) + 1)
}

class Sorter {
  readonly listed = new Map<string, number>()
  /** One for each sort. */
  readonly unlisted = new Map<string, Unlisted>()
  private readonly engines: Engines
  private readonly found: Range['found']
  /** Unlisted differences by their sort before they were shrunk. */
  private readonly similar = new Map<string, number>()

  constructor(engines: Engines, found: Range['found']) {
    this.engines = engines
    this.found = found
  }

  /** Sorts a difference and, of what remains of the program without it, the others. */
  async sort(first: Found, index: number): Promise<void> {
    if (this.isUsual(first)) return
    let found: Found | undefined = first
    for (let times = 0; found !== undefined && times < MAX_IN_ONE; times++) {
      const part: Found = await shrink(this.engines, found, smallerByRules)
      await this.sortOne(part, index)
      const rest = remainder(found.program, part.program)
      found = rest && (await this.engines.difference(rest, found.peer))
    }
  }

  /** Counts most differences like those that were shrunk often enough. */
  private isUsual(found: Found): boolean {
    const id = listedAs(found)
    const times = id === undefined ? 0 : (this.listed.get(id) ?? 0)
    if (id === undefined || isSilent(found) || times < CHECKED || times % 5 === 0) return false
    this.listed.set(id, times + 1)
    return true
  }

  private async sortOne(part: Found, index: number): Promise<void> {
    const listed = listedAs(part)
    if (listed === undefined) return this.unknown(part, index)
    const times = this.listed.get(listed) ?? 0
    this.listed.set(listed, times + 1)
    if (times >= CHECKED && times % 20 !== 0 && !isSilent(part)) return
    const least = await shrink(this.engines, part, smaller)
    const id = listedAs(least)
    if (id === undefined) await this.unknown(least, index)
    else if (!(await this.isJustified(least, id))) await this.report(least, index)
  }

  private async unknown(part: Found, index: number): Promise<void> {
    const sort = sortOf(part)
    const times = this.similar.get(sort) ?? 0
    this.similar.set(sort, times + 1)
    if (times >= SIMILAR) return
    const isUnlisted = (each: Found): boolean => listedAs(each) === undefined
    await this.report(await shrink(this.engines, part, smaller, isUnlisted), index)
  }

  private async report(found: Found, index: number): Promise<void> {
    const least = { ...found, index }
    if (this.unlisted.has(sortOf(least))) return
    this.unlisted.set(sortOf(least), least)
    await this.found?.(least)
  }

  /**
   * Whether a listed difference from the engine at 0.9 is due to that engine: OPA answers as this one, or
   * the difference from OPA is listed, too (decision R15), or the entry is about the profile `service`.
   * Otherwise an entry could hide a fault here.
   */
  private async isJustified({ peer, program, ours }: Found, id: string): Promise<boolean> {
    if (peer === 'opa' || ofProfiles.has(id)) return true
    const answer = await this.engines.answerOf('opa', program)
    if (answer === undefined || agree('opa', ours, answer)) return true
    if (this.isOfProfile({ program, ours }, answer)) return true
    const fromOpa = await this.engines.difference(program, 'opa')
    return fromOpa !== undefined && listedAs(fromOpa) !== undefined
  }

  /** Whether profile `opa-1.2` answers as OPA does, and it is known why `service` answers otherwise. */
  private isOfProfile({ program, ours }: Pick<Found, 'program' | 'ours'>, opa: Answer): boolean {
    const theirs = this.engines.here.opa.answer(program)
    if (!agree('opa', theirs, opa)) return false
    if (this.isOfNegation(program)) return true
    const known = rules().filter(({ id }) => ofProfiles.has(id))
    return (['opa', 'regorus'] as const).some(
      (peer) => listedAs({ peer, program, ours, theirs }, known) !== undefined,
    )
  }

  /** Whether the profiles agree as soon as no expression is negated (decision R14). */
  private isOfNegation(program: DiffProgram): boolean {
    const plain = withoutNegations(program)
    if (plain === undefined || !featuresOf(program).kinds.has('negated')) return false
    const { opa, regorus } = this.engines.here
    return agree('opa', regorus.answer(plain), opa.answer(plain))
  }
}

/** Entries that the profiles of this engine answer differently. */
const ofProfiles: ReadonlySet<string> = new Set(
  differences.filter(({ here }) => here.service !== here['opa-1.2']).map(({ id }) => id),
)

/** Neither engine reports an error: such a difference is silent, so each one is shrunk. */
const isSilent = ({ ours, theirs }: Found): boolean =>
  ours.kind !== 'error' && theirs.kind !== 'error'

/** Differences that probably have one cause: the same functions and sorts of answers. */
function sortOf({ peer, program, ours, theirs }: Found): string {
  const { calls, kinds } = featuresOf(program)
  const what = [ours, theirs].map((each) =>
    each.kind === 'error'
      ? `${each.codes[0]} ${each.message.replace(/\bx\d+\b|"[^"]*"|`[^`]*`|\d+/g, '')}`
      : each.kind,
  )
  const named = calls.size > 0 ? calls : kinds
  return JSON.stringify([peer, ours.kind === 'error' ? [] : [...named].sort(), what])
}
