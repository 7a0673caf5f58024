import { differences } from 'polgate-rego/differences/catalogue.ts'
import { type Answer, type Peer, shown, valueAnswer } from './answers.ts'
import { answersOf, programOf } from './classify.ts'

/** An entry of the page that says something else of a peer than the peer does. */
export type EntryFault = {
  readonly id: string
  readonly peer: string
  readonly page: string
  readonly answer: string
}

/** Asks the peers for the programs of the page. */
export async function entryFaults(peers: readonly Peer[]): Promise<EntryFault[]> {
  const faults: EntryFault[] = []
  for (const peer of peers) {
    const entries = differences.filter((entry) => answersOf(entry, peer.name).theirs !== undefined)
    const answers = await peer.answers(entries.map(programOf))
    for (const [i, entry] of entries.entries()) {
      const page = answersOf(entry, peer.name).theirs!
      const answer = answers[i]!
      if (!says(page, answer))
        faults.push({ id: entry.id, peer: peer.name, page, answer: shown(answer) })
    }
  }
  return faults
}

function says(page: string, answer: Answer): boolean {
  if (answer.kind === 'error') return answer.codes[0] === page
  // A panic of the engine at 0.9 ends the evaluation, as its errors do.
  if (answer.kind === 'none') return page === 'error'
  if (answer.kind === 'undefined') return page === 'undefined'
  try {
    const listed = valueAnswer(page)
    return listed.kind === 'value' && listed.text === answer.text
  } catch {
    return false
  }
}
