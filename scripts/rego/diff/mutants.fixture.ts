import { differences } from 'polgate-rego/differences/catalogue.ts'
import {
  type Answer,
  agree,
  type DiffProgram,
  type Peer,
  type PeerName,
  shown,
  valueAnswer,
} from './answers.ts'
import { answersOf, programOf } from './classify.ts'
import { Engines } from './engines.ts'
import { Here, PROFILE_OF } from './here.ts'
import { Sorter } from './search.ts'

/** This engine with a wrong answer to one program. */
class Mutant extends Here {
  private readonly program: DiffProgram
  private readonly wrong: Answer

  constructor(name: PeerName, program: DiffProgram, wrong: Answer) {
    super(PROFILE_OF[name])
    this.program = program
    this.wrong = wrong
  }

  override answer(program: DiffProgram): Answer {
    return program === this.program ? this.wrong : super.answer(program)
  }
}

const failure = (code: string): Answer => ({ kind: 'error', codes: [code], message: 'mutant' })

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** A value that differs in its first scalar. */
function other(value: Json): Json {
  if (value === null) return false
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return value === '' ? 'x' : ''
  if (Array.isArray(value)) return value.length === 0 ? [0] : [other(value[0]!), ...value.slice(1)]
  const [first, ...rest] = Object.entries(value)
  return first === undefined ? { x: 0 } : Object.fromEntries([[first[0], other(first[1])], ...rest])
}

/** Wrong answers in place of one: of each other kind, and one that is nearly right. */
function* wrongAnswers(right: Answer): Generator<Answer> {
  if (right.kind !== 'undefined') yield { kind: 'undefined' }
  yield failure('eval_internal_error')
  if (right.kind !== 'error') yield failure('eval_builtin_error')
  if (right.kind === 'value')
    yield valueAnswer(JSON.stringify(other(JSON.parse(right.text) as Json)))
  else yield valueAnswer('"mutant"')
}

/** The unlisted differences of a program from peers. */
async function unlistedIn(engines: Engines, program: DiffProgram, peers: readonly Peer[]) {
  const sorter = new Sorter(engines)
  for (const { name } of peers) {
    const difference = await engines.difference(program, name)
    if (difference !== undefined) await sorter.sort(difference, 0)
  }
  return sorter
}

/** Programs of the page that would be taken for unlisted differences. */
export async function alarms(peers: readonly Peer[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of differences) {
    const { unlisted } = await unlistedIn(new Engines(peers), programOf(entry), peers)
    for (const { peer, ours, theirs } of unlisted.values())
      found.push(`${entry.id}: ${shown(ours)}, but ${peer}: ${shown(theirs)}`)
  }
  return found
}

/** Wrong answers of this engine to the programs of the page that would be taken for listed differences. */
export async function unnoticed(peers: readonly Peer[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of differences) {
    const program = programOf(entry)
    const theirs = await Promise.all(peers.map(async (peer) => (await peer.answers([program]))[0]!))
    for (const wrong of allWrong(program)) {
      // Right for a peer: the page has this engine's answers, and the test of the page reads them.
      const isOfPeer = peers.some(({ name }, i) => agree(name, wrong, theirs[i]!))
      if (isOfPeer && wrong.kind !== 'error') continue
      const engines = new Engines(peers, {
        opa: new Mutant('opa', program, wrong),
        regorus: new Mutant('regorus', program, wrong),
      })
      if (theirs.every((each, i) => agree(peers[i]!.name, wrong, each))) continue
      const { unlisted, listed } = await unlistedIn(engines, program, peers)
      if (unlisted.size === 0)
        found.push(`${entry.id}: ${shown(wrong)} as ${[...listed.keys()].join()}`)
    }
  }
  return found
}

function allWrong(program: DiffProgram): Answer[] {
  const profiles = Object.values(PROFILE_OF)
  const right = profiles.map((profile) => new Here(profile).answer(program))
  const wrong = right.flatMap((each) => [...wrongAnswers(each)])
  const texts = [...new Set(right.map(shown))]
  return [...new Map(wrong.map((each) => [shown(each), each])).values()].filter(
    (each) => !texts.includes(shown(each)),
  )
}

/** A peer that knows some programs. */
function peerThatKnows(name: PeerName, known: readonly (readonly [DiffProgram, Answer])[]): Peer {
  const keyOf = (program: DiffProgram): string => JSON.stringify(program)
  const answers = new Map(known.map(([program, answer]) => [keyOf(program), answer]))
  return {
    name,
    version: '',
    restarts: 0,
    answers: async (programs) =>
      programs.map((each) => answers.get(keyOf(each)) ?? { kind: 'none', message: '' }),
    close: async () => {},
  }
}

/** A peer that answers the programs of the page as the page says. */
export const peerOfPage = (name: PeerName): Peer =>
  peerThatKnows(
    name,
    differences.map((entry) => [programOf(entry), listedAnswer(answersOf(entry, name).theirs)]),
  )

/** A peer that answers the programs of the page as another one, but no smaller programs. */
export async function peerLike(peer: Peer): Promise<Peer> {
  const programs = differences.map(programOf)
  const answers = await peer.answers(programs)
  return peerThatKnows(
    peer.name,
    programs.map((program, i) => [program, answers[i]!]),
  )
}

function listedAnswer(text: string | undefined): Answer {
  if (text === undefined) return { kind: 'none', message: '' }
  if (text === 'undefined') return { kind: 'undefined' }
  return /^(error|\w+_error)$/.test(text) ? failure(text) : valueAnswer(text)
}
