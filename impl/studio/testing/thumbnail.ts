import type { Browser } from 'playwright-core'

/** Width of a thumbnail; enough for the layout and the colours, too little for fonts to matter. */
const width = 120

export type Thumbnail = {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel, in hex, row by row. */
  readonly pixels: string
}

type Canvas = {
  width: number
  height: number
  toDataURL(type: string): string
  getContext(kind: '2d'): {
    imageSmoothingQuality: string
    drawImage(image: object, x: number, y: number, width: number, height: number): void
    getImageData(x: number, y: number, width: number, height: number): { data: Iterable<number> }
  }
}
type Globals = {
  createImageBitmap(blob: Blob): Promise<{ readonly width: number; readonly height: number }>
  readonly document: { createElement(name: 'canvas'): Canvas }
}

/** A picture, reduced; one of that width stays as it is. In a page of its own, which has no policy. */
export async function thumbnailOf(
  picture: Buffer,
  browser: Browser,
): Promise<Thumbnail & { readonly png: Buffer }> {
  const reducer = await browser.newPage()
  try {
    const { png, ...thumbnail } = await reducer.evaluate(reduce, {
      ...{ png: picture.toString('base64'), width },
    })
    return { ...thumbnail, png: Buffer.from(png, 'base64') }
  } finally {
    await reducer.close()
  }
}

/** Runs in a browser. Halves the picture until it is small, so that every pixel of it counts. */
async function reduce(given: {
  readonly png: string
  readonly width: number
}): Promise<Thumbnail & { readonly png: string }> {
  const { createImageBitmap, document } = globalThis as unknown as Globals
  const bytes = Uint8Array.from(atob(given.png), (char) => char.charCodeAt(0))
  let picture: { readonly width: number; readonly height: number } = await createImageBitmap(
    new Blob([bytes]),
  )
  for (;;) {
    const next = Math.max(given.width, Math.floor(picture.width / 2))
    const canvas = document.createElement('canvas')
    canvas.width = next
    canvas.height = Math.round((picture.height * next) / picture.width)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    if (next > given.width) {
      picture = canvas
      continue
    }
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    const pixels = [...data].filter((_, at) => at % 4 !== 3)
    return {
      png: canvas.toDataURL('image/png').replace(/^.*,/, ''),
      width: canvas.width,
      height: canvas.height,
      pixels: pixels.map((value) => value.toString(16).padStart(2, '0')).join(''),
    }
  }
}

/** Side of the squares that are compared, pixels of a thumbnail. */
const square = 8

/**
 * The largest difference between the means of a square of two thumbnails, 0 to 255: text that differs
 * hardly counts, a panel that is missing or has another colour does.
 */
export function differenceOf(one: Thumbnail, other: Thumbnail): number {
  if (one.width !== other.width || one.height !== other.height) return 255
  let largest = 0
  for (let top = 0; top < one.height; top += square)
    for (let left = 0; left < one.width; left += square)
      for (let channel = 0; channel < 3; channel += 1)
        largest = Math.max(
          largest,
          Math.abs(mean(one, { top, left, channel }) - mean(other, { top, left, channel })),
        )
  return largest
}

type Place = { readonly top: number; readonly left: number; readonly channel: number }

function mean(
  { width: columns, height, pixels }: Thumbnail,
  { top, left, channel }: Place,
): number {
  let sum = 0
  let count = 0
  for (let y = top; y < Math.min(top + square, height); y += 1)
    for (let x = left; x < Math.min(left + square, columns); x += 1) {
      const at = 2 * (3 * (y * columns + x) + channel)
      sum += Number.parseInt(pixels.slice(at, at + 2), 16)
      count += 1
    }
  return sum / count
}
