import { type Answer, agree, type DiffProgram, type Peer, type PeerName } from './answers.ts'
import { Here, PROFILE_OF } from './here.ts'

/** A program on which this engine and a peer do not agree. */
export type Found = {
  readonly peer: PeerName
  readonly program: DiffProgram
  /** The answer of this engine in the profile that is compared with the peer. */
  readonly ours: Answer
  readonly theirs: Answer
}

/** This engine in both profiles, and the peers that are installed. */
export class Engines {
  readonly here: Readonly<Record<PeerName, Here>>
  /** Programs without an answer to compare, by engine: it took too long, or ended. */
  readonly unanswered = new Map<string, number>()
  private readonly peers: readonly Peer[]

  constructor(
    peers: readonly Peer[],
    here = { opa: new Here(PROFILE_OF.opa), regorus: new Here(PROFILE_OF.regorus) },
  ) {
    this.peers = peers
    this.here = here
  }

  /** The differences of each program from the peers it is for. */
  async differences(
    asked: readonly { readonly program: DiffProgram; readonly peers: readonly PeerName[] }[],
  ): Promise<Found[][]> {
    const found: Found[][] = asked.map(() => [])
    const asking = this.peers.map(async (peer) => {
      const own = asked.flatMap(({ program, peers }, i) =>
        peers.includes(peer.name) ? [{ program, i }] : [],
      )
      const answers = await peer.answers(own.map(({ program }) => program))
      for (const [at, { program, i }] of own.entries()) {
        const theirs = answers[at]!
        if (theirs.kind === 'none') {
          this.countUnanswered(peer.name)
          continue
        }
        const ours = this.here[peer.name].answer(program)
        if (ours.kind === 'none') this.countUnanswered('this engine')
        if (!agree(peer.name, ours, theirs))
          found[i]!.push({ peer: peer.name, program, ours, theirs })
      }
    })
    await Promise.all(asking)
    return found
  }

  private countUnanswered(name: string): void {
    this.unanswered.set(name, (this.unanswered.get(name) ?? 0) + 1)
  }

  /** How often each peer was started again. */
  restarts(): (readonly [string, number])[] {
    return this.peers.map(({ name, restarts }) => [name, restarts] as const)
  }

  async difference(program: DiffProgram, peer: PeerName): Promise<Found | undefined> {
    const [[found] = []] = await this.differences([{ program, peers: [peer] }])
    return found
  }

  /** Undefined if the peer is not installed. */
  async answerOf(name: PeerName, program: DiffProgram): Promise<Answer | undefined> {
    const peer = this.peers.find((each) => each.name === name)
    return peer === undefined ? undefined : (await peer.answers([program]))[0]
  }

  /** What every engine says, for a report. */
  async all(program: DiffProgram): Promise<Readonly<Record<string, Answer>>> {
    const entries: [string, Answer][] = [
      ['here, profile service', this.here.regorus.answer(program)],
      ['here, profile opa-1.2', this.here.opa.answer(program)],
    ]
    for (const peer of this.peers) {
      const [answer] = await peer.answers([program])
      entries.push([`${peer.name} ${peer.version}`, answer!])
    }
    return Object.fromEntries(entries)
  }

  async close(): Promise<void> {
    for (const peer of this.peers) await peer.close()
  }
}
