import { test } from 'vitest'
import {
  hostileComponent,
  hostileFixture,
  hostileInput,
  hostileText,
} from '../../../fixtures/hostile/catalogue.ts'
import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { hostileBed } from './hostileBed.ts'

const bed = hostileBed(() => buildOracle('echo'))
const fixture = hostileFixture('copied-lists')

test.each(fixture.cases)('$name', async (each) => {
  await bed.expectEnding(each, {
    component: await hostileComponent(fixture, each),
    input: hostileInput(each, undefined),
    text: hostileText(each, undefined),
  })
})
