import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('broken-connection')
