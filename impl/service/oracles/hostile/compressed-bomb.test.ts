import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('compressed-bomb')
