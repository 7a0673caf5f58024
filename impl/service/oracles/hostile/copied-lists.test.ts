import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('copied-lists')
