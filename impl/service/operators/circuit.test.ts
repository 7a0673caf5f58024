import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CircuitOptions, createCircuit } from './circuit.ts'
import { operatorUnreachable } from './operatorErrors.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function failing() {
  throw new Error('no answer')
}
/** Fails after a delay, like an operator that hangs. */
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

describe('the circuit breaker of an operator', () => {
  it('stays closed on immediate failures', async () => {
    const { circuit, probes } = circuitOf()
    for (let at = 0; at < 10; at++) await expect(circuit.run(failing)).rejects.toThrow('no answer')
    expect([circuit.open, probes()]).toEqual([false, 0])
  })

  it('opens for an operator that hangs and fails the probe, until a probe succeeds', async () => {
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

  it('stays closed on a slow call if the probe succeeds', async () => {
    const { circuit, revive, probes } = circuitOf()
    revive()
    await hang(circuit)
    expect([circuit.open, probes()]).toEqual([false, 1])
  })

  it('stays closed on refused connections: each call tries again', async () => {
    const { circuit } = circuitOf({ isQuick: () => true })
    await hang(circuit)
    expect(circuit.open).toBe(false)
  })

  it('reports another operator that answers instead', async () => {
    const another = operatorUnreachable('operator 0xab answers instead', undefined, false)
    const { circuit } = circuitOf({ probe: () => Promise.reject(another) })
    await hang(circuit)
    await expect(circuit.run(async () => {})).rejects.toBe(another)
  })

  it('stops probing after shutdown', async () => {
    const { circuit, probes } = circuitOf()
    await hang(circuit)
    circuit.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(probes()).toBe(1)
  })
})
