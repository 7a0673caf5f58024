import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('memory-bomb')
