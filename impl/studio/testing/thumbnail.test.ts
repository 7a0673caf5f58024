import { expect, it } from 'vitest'
import { differenceOf, type Thumbnail } from './thumbnail.ts'

const plain = (colour: string, width = 32, height = 24): Thumbnail => ({
  ...{ width, height },
  pixels: colour.repeat(width * height),
})
const white = plain('ffffff')
/** White, with some pixels of another colour. */
function dotted(count: number, colour: string): Thumbnail {
  const { pixels } = white
  return { ...white, pixels: colour.repeat(count) + pixels.slice(6 * count) }
}

it('hardly counts single pixels, and counts areas and colours', () => {
  expect(differenceOf(white, white)).toBe(0)
  expect(differenceOf(white, dotted(2, '000000'))).toBeLessThan(10)
  expect(differenceOf(white, dotted(32 * 8, '000000'))).toBe(255)
  expect(differenceOf(white, plain('ffff00'))).toBe(255)
  expect(differenceOf(white, plain('ffffff', 24, 32))).toBe(255)
})
