/** A read-only set of names. */
export type Names = {
  has(name: string): boolean
}

const NONE: readonly string[] = []

/**
 * Names layered over others, which are shared instead of copied: bodies have thousands of
 * variables, and each literal and closure adds only a few.
 */
export class Layer implements Names {
  private readonly below: Names
  private names: Set<string> | undefined

  constructor(below: Names) {
    this.below = below
  }

  /** The names of this layer only. */
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
