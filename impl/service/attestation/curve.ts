import mcl from 'mcl-wasm'
import type { G1Point, G2Point } from './types.ts'

/**
 * The groups of alt_bn128, with points of bigints as interface. WebAssembly takes about a fifth of
 * the time of JavaScript for a signature, and a quarter for a pairing check.
 */
await mcl.init(mcl.BN_SNARK1)
mcl.verifyOrderG2(true)

export type Point1 = InstanceType<typeof mcl.G1>
export type Point2 = InstanceType<typeof mcl.G2>
export type Scalar = InstanceType<typeof mcl.Fr>
/** The value of a pairing equation: one if it holds. */
export type Residue = InstanceType<typeof mcl.GT>

/** p, of the field of the coordinates. */
export const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

export const generatorG1 = toPoint1({ X: 1n, Y: 2n })
export const generatorG2 = toPoint2({
  X: [
    11559732032986387107991004021392285783925812861821192530917403151452391805634n,
    10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  ],
  Y: [
    4082367875863433681332203403145435568316851327593401208105741076214120093531n,
    8495653923123431417604973247489272438418190587263600148770280649306958101930n,
  ],
})
const negatedGeneratorG2 = new mcl.PrecomputedG2(mcl.neg(generatorG2))

/** Big-endian bytes, 32 at most, reduced modulo the order. */
export function scalarOf(bytes: Uint8Array): Scalar {
  const scalar = new mcl.Fr()
  scalar.setBigEndianMod(bytes)
  return scalar
}

/** value^((p+1)/4) in the field of the coordinates if it is a root of `value`, or else undefined. */
export function squareRoot(value: bigint): bigint | undefined {
  const element = new mcl.Fp()
  element.setStr(value.toString(16), 16)
  const [isSquare, root] = mcl.squareRoot(element)
  return isSquare ? BigInt(`0x${root.getStr(16)}`) : undefined
}

export function multiply1(point: Point1, scalar: Scalar): Point1 {
  // The library's multiplication is not constant time. The secret scalar is split at random, and
  // neither part reveals anything about it.
  const mask = new mcl.Fr()
  mask.setByCSPRNG()
  return mcl.add(mcl.mul(point, mask), mcl.mul(point, mcl.sub(scalar, mask)))
}

export function multiply2(point: Point2, scalar: Scalar): Point2 {
  const mask = new mcl.Fr()
  mask.setByCSPRNG()
  return mcl.add(mcl.mul(point, mask), mcl.mul(point, mcl.sub(scalar, mask)))
}

export const add1 = (a: Point1, b: Point1): Point1 => mcl.add(a, b)
export const add2 = (a: Point2, b: Point2): Point2 => mcl.add(a, b)
export const subtract1 = (a: Point1, b: Point1): Point1 => mcl.sub(a, b)
export const subtract2 = (a: Point2, b: Point2): Point2 => mcl.sub(a, b)
export const identity1 = (): Point1 => new mcl.G1()
export const identity2 = (): Point2 => new mcl.G2()

/**
 * e(message, key) / e(signature, G2), as one product of pairings: one if and only if the signature
 * is valid. The residue of a sum is the product of residues.
 */
export function residueOf(signature: Point1, message: Point1, key: Point2): Residue {
  // For a product with an identity in G2, the library returns one, whatever the other factor is.
  if (key.isZero()) return mcl.finalExp(mcl.precomputedMillerLoop(signature, negatedGeneratorG2))
  return mcl.finalExp(mcl.precomputedMillerLoop2mixed(message, key, signature, negatedGeneratorG2))
}

/** Whether e(signature, G2) = e(message, key). */
export const isSignature = (signature: Point1, message: Point1, key: Point2): boolean =>
  residueOf(signature, message, key).isOne()

export const quotient = (a: Residue, b: Residue): Residue => mcl.div(a, b)

/** e(message, key) as text: equal to that of a signature if and only if it is valid for the key. */
export const textOfKey = (message: Point1, key: Point2): string =>
  mcl.pairing(message, key).serializeToHexStr()

/** e(signature, G2) as a text. */
export const textOfSignature = (signature: Point1): string =>
  mcl.pairing(signature, generatorG2).serializeToHexStr()

/** @throws RangeError if the point is not on the curve or a coordinate is not below the modulus. */
export function toPoint1({ X, Y }: G1Point): Point1 {
  const point = new mcl.G1()
  if (X === 0n && Y === 0n) return point
  setCoordinates(point, [X, Y])
  return point
}

/** @throws RangeError if the point is not in the group or a coordinate is not below the modulus. */
export function toPoint2({ X, Y }: G2Point): Point2 {
  const point = new mcl.G2()
  if ([...X, ...Y].every((coordinate) => coordinate === 0n)) return point
  setCoordinates(point, [X[1], X[0], Y[1], Y[0]])
  return point
}

export function fromPoint1(point: Point1): G1Point {
  if (point.isZero()) return { X: 0n, Y: 0n }
  const [X = 0n, Y = 0n] = coordinatesOf(point)
  return { X, Y }
}

export function fromPoint2(point: Point2): G2Point {
  if (point.isZero()) return { X: [0n, 0n], Y: [0n, 0n] }
  const [x0 = 0n, x1 = 0n, y0 = 0n, y1 = 0n] = coordinatesOf(point)
  return { X: [x1, x0], Y: [y1, y0] }
}

/** The text form is `1` for an affine point, then its coordinates. Parsing validates it. */
function setCoordinates(point: Point1 | Point2, coordinates: readonly bigint[]): void {
  if (coordinates.some((coordinate) => coordinate < 0n || coordinate >= MODULUS)) {
    throw new RangeError('a coordinate is not below the field modulus')
  }
  try {
    point.setStr(`1 ${coordinates.map((coordinate) => coordinate.toString(16)).join(' ')}`, 16)
  } catch (cause) {
    throw new RangeError('not a point of the group', { cause })
  }
}

function coordinatesOf(point: Point1 | Point2): bigint[] {
  return point
    .getStr(16)
    .split(' ')
    .slice(1)
    .map((hex) => BigInt(`0x${hex}`))
}
