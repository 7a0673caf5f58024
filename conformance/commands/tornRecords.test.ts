import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDeployment, writeDeployment } from '../targets/deploymentState.ts'
import { recordRun, runsIn } from './runRecords.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-records-'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

it('a torn record of a run is refused by its name, not left out', () => {
  const options = { cwd, directory: undefined, isReplay: false, settings: {} }
  const place = recordRun({ ...options, startedAt: new Date('2026-01-02T03:04:05Z') })
  writeFileSync(join(place, 'events.ndjson'), '')
  expect(runsIn(cwd)).toHaveLength(1)
  writeFileSync(join(place, 'run.json'), '{"events":')
  expect(() => runsIn(cwd)).toThrow(`${join(place, 'run.json')}, is damaged: it is not JSON`)
  // An earlier release wrote none.
  rmSync(join(place, 'run.json'))
  expect(runsIn(cwd)).toMatchObject([{ settings: undefined }])
})

it('a torn record of a paid deployment is refused by its name, not deployed again', () => {
  const file = join(cwd, 'deployments', 'one.json')
  expect(readDeployment(file)).toBeUndefined()
  const state = { version: 1, chainId: 1, deployer: '0x1', clients: {}, transactions: 1, spent: '1' } as const // biome-ignore format: a line
  writeDeployment(file, state)
  expect(readDeployment(file)).toEqual(state)
  for (const text of ['', '{"version":1,']) {
    mkdirSync(join(cwd, 'deployments'), { recursive: true })
    writeFileSync(file, text)
    expect(() => readDeployment(file)).toThrow(`${file}, is damaged: it is not JSON`)
  }
})
