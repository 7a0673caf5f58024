import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('redirect-loop')
