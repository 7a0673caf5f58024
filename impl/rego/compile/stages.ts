import { RegoError } from '../errors.ts'

/** The stages of a compilation: each ends it if it has an error, and can find several before. */
export class Stages {
  private readonly errors: RegoError[] | undefined

  /** @param errors receives the errors of the stage that ends the compilation; without it the first one is thrown */
  constructor(errors: RegoError[] | undefined) {
    this.errors = errors
  }

  /** Does the work of a stage on one part of the program. */
  part(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.errors === undefined || !(error instanceof RegoError)) throw error
      this.errors.push(error)
    }
  }

  fail(error: RegoError): void {
    if (this.errors === undefined) throw error
    this.errors.push(error)
  }

  /** Whether there is an error. */
  get hasFailed(): boolean {
    return this.errors !== undefined && this.errors.length > 0
  }

  /** Adds the errors of a part of this stage. */
  add({ errors = [] }: Stages): void {
    this.errors?.push(...errors)
  }

  /** Errors of an earlier stage that could only be found now replace those of this one. */
  instead(earlier: readonly RegoError[]): void {
    const [first] = earlier
    if (first === undefined) return
    if (this.errors === undefined) throw first
    this.errors.splice(0, this.errors.length, ...earlier)
  }

  /** @throws RegoError the first error of the stage */
  end(): void {
    const [first] = this.errors ?? []
    if (first !== undefined) throw first
  }
}
