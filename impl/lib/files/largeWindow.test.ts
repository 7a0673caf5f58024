import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { compressLarge, decompressLarge } from './largeWindow.ts'

test('parts that repeat further apart than the standard window are stored once', async () => {
  const part = randomBytes(100_000)
  const bytes = Buffer.concat([part, Buffer.alloc(17 * 1024 * 1024), part])
  const packed = await compressLarge(bytes)
  expect(packed.length).toBeLessThan(1.1 * part.length)
  expect(bytes.equals(await decompressLarge(packed))).toBe(true)
})

test('other bytes are refused', async () => {
  // Random ones can be a short stream by chance.
  await expect(decompressLarge(Buffer.alloc(100, 0xff))).rejects.toThrow()
})
