/** What counts of a Server when an update job asks whether it may go on. */
export interface UpdatedServer {
  readonly spec: {
    readonly serverClaimRef?: { readonly name: string } | undefined
    readonly serverMaintenanceRef?: { readonly namespace: string; readonly name: string } | undefined
    readonly updateRef?:
      | {
          readonly kind: string
          readonly name: string
          readonly uid: string
          readonly job: string
          readonly maintenance?: { readonly namespace: string; readonly name: string } | undefined
        }
      | undefined
  }
  readonly status?: { readonly state?: string | undefined } | undefined
  readonly metadata: { readonly deletionTimestamp?: string | undefined }
}

export interface Updater {
  readonly kind: string
  readonly uid: string
  readonly job: string
}

/** Why a job must not touch this server now; undefined where it may. Asked with a fresh read before every call that changes the machine. */
export function whyNotTouch(server: UpdatedServer | undefined, by: Updater): string | undefined {
  if (server === undefined) return 'the Server is gone'
  if (server.metadata.deletionTimestamp !== undefined) return 'the Server is being deleted'
  const { updateRef, serverClaimRef, serverMaintenanceRef } = server.spec
  if (updateRef === undefined) return 'the Server does not name this job as its updater any more'
  if (updateRef.kind !== by.kind || updateRef.uid !== by.uid || updateRef.job !== by.job)
    return `the Server names ${updateRef.job} for ${updateRef.kind} ${updateRef.name} as its updater`
  const state = server.status?.state ?? 'Initial'
  const { maintenance } = updateRef
  if (maintenance !== undefined) {
    const same = serverMaintenanceRef?.namespace === maintenance.namespace && serverMaintenanceRef.name === maintenance.name
    if (!same) return `maintenance ${maintenance.namespace}/${maintenance.name} does not hold the Server any more`
    return state === 'Maintenance' ? undefined : `the Server is ${state}, not in maintenance`
  }
  if (serverClaimRef !== undefined) return `the Server is claimed by ${serverClaimRef.name}`
  return state === 'Available' ? undefined : `the Server is ${state}, not Available`
}
