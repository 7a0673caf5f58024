import type { Answer } from '../../core/answer.ts'
import { expectMatch, expectThat } from '../../core/expect.ts'
import { shownAnswer } from './shownAnswer.ts'

/** The response has that HTTP status, and its body gives the reason (section 7.4). */
export function expectStatus(answer: Answer, status: number, message: RegExp): void {
  expectThat(answer.status === status, 'the HTTP status', status, shownAnswer(answer))
  expectMatch(answer.exchange.body, message, 'the body')
}
