import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('deep-recursion')
