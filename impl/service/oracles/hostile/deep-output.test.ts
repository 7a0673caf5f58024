import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('deep-output')
