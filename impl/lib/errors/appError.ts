/** What an error says besides its message. Every value is safe to log: none of them holds a secret. */
export type AppErrorDetails = {
  /** What programs distinguish errors of one class by. */
  readonly code?: string | number
  /** What to do next, for a person. */
  readonly hint?: string | undefined
  /** Section or decision that the error comes from, such as `section 7.3`. */
  readonly clause?: string | undefined
  readonly cause?: unknown
}

type Member<Details, Name extends keyof AppErrorDetails> = (Details & AppErrorDetails)[Name]

/**
 * Base of all error classes except those of `polgate-rego`, which depends on no other package. A
 * subclass narrows `Details` to what it always has: `extends AppError<{ code: 'a' | 'b'; hint: string }>`.
 */
export class AppError<Details extends AppErrorDetails = AppErrorDetails> extends Error {
  readonly code: Member<Details, 'code'>
  readonly hint: Member<Details, 'hint'>
  readonly clause: Member<Details, 'clause'>

  constructor(
    message = '',
    ...[details]: Record<never, never> extends Details ? [details?: Details] : [details: Details]
  ) {
    const { code, hint, clause, cause }: AppErrorDetails = details ?? {}
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code as Member<Details, 'code'>
    this.hint = hint as Member<Details, 'hint'>
    this.clause = clause as Member<Details, 'clause'>
  }
}
