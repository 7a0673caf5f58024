import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('interim-flood')
