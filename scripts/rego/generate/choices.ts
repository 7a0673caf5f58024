/** Choices of a generator: given numbers, then zeros, which select the simplest option. */
export class Choices {
  private readonly numbers: readonly number[]
  private at = 0

  constructor(numbers: readonly number[]) {
    this.numbers = numbers
  }

  /** One of 0 to `count - 1`. */
  below(count: number): number {
    const number = this.numbers[this.at++] ?? 0
    return number % count
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  /** True about once in `count` times; false once the numbers are used up. */
  rarely(count: number): boolean {
    return this.below(count) === count - 1
  }

  /** The numbers are used up. */
  get done(): boolean {
    return this.at >= this.numbers.length
  }
}

/** Numbers that follow from a seed (mulberry32), the same on every machine. */
export function numbersFrom(seed: number, count: number): number[] {
  let state = seed >>> 0
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  })
}
