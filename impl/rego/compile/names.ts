/** Names that may be asked for: what a body may read without changing it. */
export type Names = {
  has(name: string): boolean
}

/**
 * Names on top of others. What is below is shared and not copied: bodies have thousands of
 * variables, and each of their literals and closures looks at them with a few of its own.
 */
export class Layer implements Names {
  private readonly below: Names
  /** The names that are not below. */
  readonly own = new Set<string>()

  constructor(below: Names) {
    this.below = below
  }

  has(name: string): boolean {
    return this.own.has(name) || this.below.has(name)
  }

  get size(): number {
    return this.own.size
  }

  add(name: string): void {
    if (!this.below.has(name)) this.own.add(name)
  }
}
