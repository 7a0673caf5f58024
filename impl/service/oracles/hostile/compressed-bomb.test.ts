import { hostilePeer } from './hostileCases.ts'

hostilePeer('compressed-bomb')
