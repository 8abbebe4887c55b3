/** On a ServerMaintenance that a set made: the UID of the object that may update the server meanwhile. */
export const updatesLabel = 'metal.ironcore.dev/updates'
export const serverLabel = 'metal.ironcore.dev/server'
export const programLabel = 'metal.ironcore.dev/program'
/** Held until a server that is let go of is not being written to any more. */
export const targetFinalizer = 'metal.ironcore.dev/firmware'
