import { differences } from 'polgate-rego/differences/catalogue.ts'
import { type Answer, agree, type DiffProgram, type PeerName } from './answers.ts'
import { type Case, caseOf } from './cases.ts'
import { type Listing, listedAs, listingOf, rules } from './classify.ts'
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

/** Sorts differences into listed and unlisted ones. */
export class Sorter {
  readonly listed = new Map<string, number>()
  /** One for each sort. */
  readonly unlisted = new Map<string, Unlisted>()
  private readonly engines: Engines
  private readonly found: Range['found']
  /** Unlisted differences by their sort before they were shrunk. */
  private readonly similar = new Map<string, number>()

  constructor(engines: Engines, found?: Range['found']) {
    this.engines = engines
    this.found = found
  }

  /** Sorts a difference and, of what remains of the program without it, the others. */
  async sort(first: Found, index: number): Promise<void> {
    if (await this.isUsual(first)) return
    let found: Found | undefined = first
    for (let times = 0; found !== undefined && times < MAX_IN_ONE; times++) {
      const part: Found = await shrink(this.engines, found, smallerByRules)
      await this.sortOne(part, index)
      const rest = remainder(found.program, part.program)
      found = rest && (await this.engines.difference(rest, found.peer))
    }
  }

  /** Counts most differences like those that were shrunk often enough. */
  private async isUsual(found: Found): Promise<boolean> {
    const listing = listingOf(found)
    if (listing === undefined || isSilent(found)) return false
    const times = this.listed.get(listing.id) ?? 0
    if (times < CHECKED || times % 5 === 0) return false
    if (!listing.isExact && !(await this.isConfirmed(found))) return false
    this.listed.set(listing.id, times + 1)
    return true
  }

  private async sortOne(part: Found, index: number): Promise<void> {
    const listing = listingOf(part)
    if (listing === undefined) return this.unknown(part, index)
    const { id } = listing
    const times = this.listed.get(id) ?? 0
    this.listed.set(id, times + 1)
    const isRare = times < CHECKED || times % 20 === 0
    if (!isRare && !isSilent(part) && (await this.isJustified(part, listing))) return
    const least = await shrink(this.engines, part, smaller)
    const last = listingOf(least)
    if (last === undefined) await this.unknown(least, index)
    else if (!(await this.isJustified(least, last))) await this.report(least, index)
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
   * Whether a listed difference is due to the peer, or to a decision: the entry says which answers are right, or the
   * other peer answers as this engine, or the difference from that peer is one whose entry says so (decision R15).
   * Otherwise an entry could hide a fault here.
   */
  private async isJustified(found: Found, { isExact }: Listing): Promise<boolean> {
    if (isExact || (await this.isConfirmed(found))) return true
    const { peer, program, ours } = found
    const other = otherThan(peer)
    const own = this.engines.here[other].answer(program)
    if (!agree('opa', ours, own) && !this.isOfProfiles(program)) return false
    const fromOther = await this.engines.difference(program, other)
    return fromOther === undefined || listingOf(fromOther)?.isExact === true
  }

  /** Whether the other peer answers as this engine, or is not installed. */
  private async isConfirmed({ peer, program, ours }: Found): Promise<boolean> {
    const other = otherThan(peer)
    const answer = await this.engines.answerOf(other, program)
    return answer === undefined || (isInformed(answer, ours) && agree(other, ours, answer))
  }

  /** Whether it is known why the profiles answer differently. */
  private isOfProfiles(program: DiffProgram): boolean {
    if (this.isOfNegation(program)) return true
    const { opa, regorus } = this.engines.here
    const [ours, theirs] = [regorus.answer(program), opa.answer(program)]
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

/** The engine at 0.9 did not evaluate the program, which says nothing of an error of the evaluation. */
const NOT_EVALUATED =
  /could not find function|expecting|unexpected keyword|Failed to parse|not scheduled|incompatible destructuring|duplicated definition/

/** Whether an answer says something of the program, and not of an engine that lacks a part of the language. */
function isInformed(answer: Answer, ours: Answer): boolean {
  if (answer.kind !== 'error') return answer.kind !== 'none'
  const isOfEvaluation = ours.kind === 'error' && ours.codes[0]!.startsWith('eval_')
  return isOfEvaluation
    ? !NOT_EVALUATED.test(answer.message)
    : !/could not find function/.test(answer.message)
}

const otherThan = (peer: PeerName): PeerName => (peer === 'opa' ? 'regorus' : 'opa')

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
