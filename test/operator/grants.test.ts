import { describe, expect, it } from 'vitest'
import { bootServerGrants, controllerGrants } from '../../src/cli/operator/grants.ts'
import { rulesOf, split } from '../../src/cli/operator/rbac.ts'
import {
  serverBiosGrants,
  serverBiosSetGrants,
  serverFirmwareGrants,
  serverFirmwareSetGrants,
} from '../../src/controllers/firmware/grants.ts'
import { firmwareControllers } from '../../src/controllers/firmware/index.ts'
import { bmcGrants } from '../../src/controllers/metal/bmc/grants.ts'
import { bmcController } from '../../src/controllers/metal/bmc/index.ts'
import { bootConfigurationGrants } from '../../src/controllers/metal/boot-configuration/grants.ts'
import { bootConfigurationController } from '../../src/controllers/metal/boot-configuration/index.ts'
import { serverGrants } from '../../src/controllers/metal/server/grants.ts'
import { serverController } from '../../src/controllers/metal/server/index.ts'
import { serverClaimGrants } from '../../src/controllers/metal/server-claim/grants.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { serverMaintenanceGrants } from '../../src/controllers/metal/server-maintenance/grants.ts'
import { serverMaintenanceController } from '../../src/controllers/metal/server-maintenance/index.ts'
import type { Grant, Reconciler } from '../../src/ports/index.ts'

/** Factories take their ports and use none before an object is looked at. */
const none = new Proxy({}, { get: () => none }) as never
const controllers: readonly (readonly [reconciler: Reconciler, grants: readonly Grant[]])[] = (
  [
    [bmcController(none), bmcGrants],
    [serverController(none), serverGrants],
    [serverClaimController(none), serverClaimGrants],
    [serverMaintenanceController(none), serverMaintenanceGrants],
    [bootConfigurationController(none), bootConfigurationGrants],
    [firmwareControllers(none).bios(none), serverBiosGrants],
    [firmwareControllers(none).firmware(none), serverFirmwareGrants],
    [firmwareControllers(none).biosSets(none), serverBiosSetGrants],
    [firmwareControllers(none).firmwareSets(none), serverFirmwareSetGrants],
  ] as const
).map(([reconciler, grants]) => [reconciler as unknown as Reconciler, grants])

describe('grants', () => {
  for (const [{ name, kind, watches, finalizer }, grants] of controllers) {
    const has = (resource: string, verb: string): boolean =>
      grants.some(grant => grant.resource === resource && (grant.verbs as readonly string[]).includes(verb))
    it(`${name} may watch exactly what it says it watches`, () => {
      const watched = [...new Set([kind, ...watches.map(({ of }) => of)].map(({ plural }) => plural))].toSorted()
      expect(
        grants
          .filter(({ verbs }) => verbs.includes('watch'))
          .map(({ resource }) => resource)
          .toSorted(),
      ).toEqual(watched)
    })
    it(`${name} may write the status of its own kind, and of no other`, () =>
      expect(grants.filter(({ resource }) => resource.endsWith('/status')).map(({ resource }) => resource)).toEqual([
        `${kind.plural}/status`,
      ]))
    if (finalizer !== undefined) it(`${name} may put its finalizer on`, () => expect(has(kind.plural, 'patch')).toBe(true))
  }
  const table = (grants: readonly Grant[]): readonly string[] =>
    rulesOf(grants).map(({ apiGroups, resources, verbs }) => `${resources[0]}.${apiGroups[0]}: ${verbs.join(' ')}`)
  it('the controllers have these rights in every namespace, and no others', () =>
    expect(table(split(controllerGrants).everywhere)).toMatchInlineSnapshot(`
      [
        "events.: create get patch",
        "customresourcedefinitions.apiextensions.k8s.io: get",
        "leases.coordination.k8s.io: list",
        "bmcs.metal.ironcore.dev: create get list patch watch",
        "bmcs/status.metal.ironcore.dev: patch",
        "bmcsecrets.metal.ironcore.dev: get",
        "endpoints.metal.ironcore.dev: get list watch",
        "endpoints/status.metal.ironcore.dev: patch",
        "serverbootconfigurations.metal.ironcore.dev: create delete get list patch watch",
        "serverbootconfigurations/status.metal.ironcore.dev: patch",
        "serverclaims.metal.ironcore.dev: get list patch watch",
        "serverclaims/finalizers.metal.ironcore.dev: update",
        "serverclaims/status.metal.ironcore.dev: patch",
        "servermaintenances.metal.ironcore.dev: get list patch watch",
        "servermaintenances/finalizers.metal.ironcore.dev: update",
        "servermaintenances/status.metal.ironcore.dev: patch",
        "serverreadinessrules.metal.ironcore.dev: get list patch watch",
        "serverreadinessrules/status.metal.ironcore.dev: patch",
        "servers.metal.ironcore.dev: create get list patch watch",
        "servers/finalizers.metal.ironcore.dev: update",
        "servers/status.metal.ironcore.dev: patch",
      ]
    `))
  it('the controllers have these rights in their own namespace', () =>
    expect(table(split(controllerGrants).manager)).toMatchInlineSnapshot(`
      [
        "configmaps.: create get patch",
        "secrets.: create get",
        "leases.coordination.k8s.io: create get patch",
      ]
    `))
  it('the boot server has these rights, and no others', () =>
    expect(table(bootServerGrants)).toMatchInlineSnapshot(`
    [
      "events.: create get patch",
      "secrets.: get",
      "serverbootconfigurations.metal.ironcore.dev: get list watch",
      "serverbootconfigurations/status.metal.ironcore.dev: patch",
      "servers.metal.ironcore.dev: get list watch",
    ]
  `))
  it('S1 nobody has a wildcard, deletes hardware objects or writes secrets outside the manager namespace', () => {
    for (const { apiGroups, resources, verbs } of rulesOf([...split(controllerGrants).everywhere, ...bootServerGrants])) {
      expect([...apiGroups, ...resources, ...verbs]).not.toContain('*')
      if (['servers', 'bmcs', 'serverclaims'].includes(resources[0] ?? '')) expect(verbs).not.toContain('delete')
      if (resources[0] === 'secrets') expect(verbs).toEqual(['get'])
    }
  })
})
