import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

/**
 * Compresses as small as Brotli can, with a window of 64 MB instead of 16: for archives of parts that
 * repeat each other further apart. Only `decompressLarge` reads them.
 */
export const compressLarge = (bytes: Uint8Array): Promise<Uint8Array> =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: 26,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    },
  })

/** @throws Error for what `compressLarge` did not write */
export const decompressLarge = (bytes: Uint8Array): Promise<Uint8Array> =>
  promisify(brotliDecompress)(bytes, {
    params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  })
