import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('endless-loop')
