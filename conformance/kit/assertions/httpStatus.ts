import type { Answer } from '../../core/answer.ts'
import { expectMatch, expectThat, show } from '../../core/expect.ts'

/** The response has that HTTP status, and its body gives the reason (section 7.4). */
export function expectStatus(answer: Answer, status: number, message: RegExp): void {
  expectThat(
    answer.status === status,
    'the HTTP status',
    status,
    `${answer.status}: ${show(answer.exchange.body)}`,
  )
  expectMatch(answer.exchange.body, message, 'the body')
}
