import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('table-bomb')
