import { minutes, seconds } from '../../../core/duration.ts'

/** How long an attempt stays open: time enough for an installation. */
export const attemptLife = minutes(60)
/** How long a machine may take from its switch-on to the registration of the probe. */
export const discoveryLife = minutes(30)
/** A call of a process that is gone may still arrive within this time. */
export const callsEnd = seconds(60)
/** How long after a switch-on was asked for it is asked for once more: some BMCs show the power 30 seconds late. */
export const startPatience = seconds(45)
/** How long an operating system may take to shut down before the power is cut. */
export const gracefulPatience = minutes(5)
export const forcedPatience = minutes(2)
/** A state that a BMC shows for less than this may be the one before. */
export const surely = seconds(35)
/** A power state that nobody asked for is believed when it has lasted this long. */
export const believed = seconds(20)
/** After a reset a machine that is going to start has done so within this time. */
export const comesUp = minutes(8)
/** A failed discovery is tried again after this long. */
export const retryAfter = minutes(10)
/** Deleting a server never waits longer than this for its BMC. */
export const farewell = minutes(10)

export const soon = seconds(10)
export const often = seconds(30)
export const nowAndThen = minutes(1)
export const seldom = minutes(2)
