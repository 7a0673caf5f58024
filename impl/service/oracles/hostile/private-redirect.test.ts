import { hostilePeer } from './hostileCases.ts'

hostilePeer('private-redirect')
