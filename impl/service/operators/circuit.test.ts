import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CircuitOptions, createCircuit } from './circuit.ts'
import { operatorUnreachable } from './operatorErrors.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const failing = async () => {
  throw new Error('no answer')
}
/** Fails after a while, as an operator that hangs. */
const hanging = () =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), 600))

function circuitOf(options: Partial<CircuitOptions> = {}) {
  let alive = false
  let probes = 0
  const circuit = createCircuit({
    probe: async () => {
      probes += 1
      if (!alive) throw new Error('no answer')
    },
    isQuick: () => false,
    ...options,
  })
  return {
    circuit,
    probes: () => probes,
    revive: () => {
      alive = true
    },
  }
}

async function hang(circuit: ReturnType<typeof createCircuit>): Promise<void> {
  const call = circuit.run(hanging).catch(() => {})
  await vi.advanceTimersByTimeAsync(600)
  await call
}

describe('the circuit of an operator', () => {
  it('stays closed for failures that come at once', async () => {
    const { circuit, probes } = circuitOf()
    for (let at = 0; at < 10; at++) await expect(circuit.run(failing)).rejects.toThrow('no answer')
    expect([circuit.open, probes()]).toEqual([false, 0])
  })

  it('opens for one that hangs and shows no sign of life, until it does', async () => {
    const { circuit, probes, revive } = circuitOf()
    await hang(circuit)
    expect(circuit.open).toBe(true)
    let called = false
    const call = async () => {
      called = true
    }
    await expect(circuit.run(call)).rejects.toMatchObject({
      message: expect.stringContaining('operator unreachable: '),
      retryable: true,
    })
    expect(called).toBe(false)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(probes()).toBe(4)
    revive()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(circuit.open).toBe(false)
    await circuit.run(call)
    expect(called).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(probes()).toBe(5)
  })

  it('stays closed for one whose call was slow and who is alive', async () => {
    const { circuit, revive, probes } = circuitOf()
    revive()
    await hang(circuit)
    expect([circuit.open, probes()]).toEqual([false, 1])
  })

  it('stays closed for one that refuses connections: each call finds out whether it is back', async () => {
    const { circuit } = circuitOf({ isQuick: () => true })
    await hang(circuit)
    expect(circuit.open).toBe(false)
  })

  it('says who answers in its place, where another does', async () => {
    const another = operatorUnreachable('operator 0xab answers in its place', undefined, false)
    const { circuit } = circuitOf({ probe: () => Promise.reject(another) })
    await hang(circuit)
    await expect(circuit.run(async () => {})).rejects.toBe(another)
  })

  it('looks for nobody any more once it is closed for good', async () => {
    const { circuit, probes } = circuitOf()
    await hang(circuit)
    circuit.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(probes()).toBe(1)
  })
})
