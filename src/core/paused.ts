import type { KubeObject } from './object.ts'

/** Whoever wants an object left alone says so here, with the reason as its value. */
export const pausedAnnotation = 'rackwright.dev/paused'

/** Why an object is left alone by every controller; undefined where it is not. */
export const pausedBecause = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[pausedAnnotation]
