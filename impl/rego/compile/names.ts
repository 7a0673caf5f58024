/** Names that may be asked for: what a body may read without changing it. */
export type Names = {
  has(name: string): boolean
}

const NONE: readonly string[] = []

/**
 * Names on top of others. What is below is shared and not copied: bodies have thousands of
 * variables, and each of their literals and closures looks at them with a few of its own.
 */
export class Layer implements Names {
  private readonly below: Names
  private names: Set<string> | undefined

  constructor(below: Names) {
    this.below = below
  }

  /** The names that are not below. */
  get own(): Iterable<string> {
    return this.names ?? NONE
  }

  has(name: string): boolean {
    return this.names?.has(name) === true || this.below.has(name)
  }

  get size(): number {
    return this.names?.size ?? 0
  }

  add(name: string): void {
    if (this.below.has(name)) return
    this.names ??= new Set()
    this.names.add(name)
  }
}
