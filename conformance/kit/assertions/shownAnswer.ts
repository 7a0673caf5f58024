import type { Answer } from '../../core/answer.ts'
import { showLong } from '../../core/expect.ts'

/** A response in a failure: status and body. */
export const shownAnswer = ({ status, exchange }: Answer): string =>
  `HTTP ${status}: ${showLong(exchange.body)}`
