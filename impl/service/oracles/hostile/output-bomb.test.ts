import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('output-bomb')
