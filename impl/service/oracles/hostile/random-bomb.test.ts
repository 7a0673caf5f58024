import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('random-bomb')
