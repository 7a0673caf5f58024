import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Case } from './cases.ts'
import type { MeasureOptions, Times } from './measureCase.ts'

/** Measures one case in a thread of its own. */
export class CaseThread {
  private readonly example: Case
  private readonly worker = new Worker(new URL('./case.worker.mjs', import.meta.url))

  constructor(example: Case) {
    this.example = example
  }

  measure(measure: MeasureOptions): Promise<Times> {
    return this.ask<Times>({ example: this.example, measure })
  }

  /** The functions that take most of the time, with their shares. */
  hotSpots(profileMs: number): Promise<readonly string[]> {
    return this.ask<readonly string[]>({ example: this.example, profileMs })
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private async ask<T>(question: object): Promise<T> {
    this.worker.postMessage(question)
    const [answer] = await once(this.worker, 'message')
    return answer as T
  }
}
