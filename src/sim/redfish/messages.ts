import type { JsonObject } from '../../core/json.ts'

interface Message {
  readonly text: string
  readonly severity: 'OK' | 'Warning' | 'Critical'
  readonly resolution: string
}

const none = 'None.'
const correct = 'Correct the request and send it again.'

/** The messages that the service uses, by the names of the DMTF's base registry; the sentences are ours. */
export const messages = {
  Success: { text: 'Done.', severity: 'OK', resolution: none },
  Accepted: { text: 'The request was accepted; %1 tells how it goes.', severity: 'OK', resolution: none },
  GeneralError: { text: 'Something went wrong.', severity: 'Critical', resolution: 'Look at the messages of this answer.' },
  InternalError: { text: 'The service failed inside.', severity: 'Critical', resolution: 'Send the request again.' },
  NoOperation: { text: 'The request changes nothing.', severity: 'Warning', resolution: none },
  MalformedJSON: { text: 'The body is not JSON.', severity: 'Critical', resolution: correct },
  UnrecognizedRequestBody: { text: 'The body cannot be understood.', severity: 'Warning', resolution: correct },
  PropertyNotWritable: { text: 'The property %1 cannot be written.', severity: 'Warning', resolution: 'Leave it out.' },
  PropertyUnknown: { text: 'There is no property %1.', severity: 'Warning', resolution: 'Leave it out.' },
  PropertyMissing: { text: 'The property %1 is missing.', severity: 'Warning', resolution: 'Add it.' },
  PropertyValueNotInList: { text: 'The value %1 is not one that %2 takes.', severity: 'Warning', resolution: 'Choose a listed one.' },
  PropertyValueTypeError: { text: 'The value %1 of %2 has the wrong type.', severity: 'Warning', resolution: correct },
  PropertyValueOutOfRange: { text: 'The value %1 of %2 is out of range.', severity: 'Warning', resolution: correct },
  PropertyValueModified: { text: 'The property %1 became %2.', severity: 'Warning', resolution: none },
  ActionParameterMissing: { text: 'The action %1 needs the parameter %2.', severity: 'Critical', resolution: 'Add it.' },
  ActionParameterNotSupported: {
    text: 'The parameter %1 of action %2 is not supported.',
    severity: 'Warning',
    resolution: 'Leave it out.',
  },
  ActionParameterValueNotInList: {
    text: 'The value %1 is not one that the parameter %2 of action %3 takes.',
    severity: 'Warning',
    resolution: 'Choose a listed one.',
  },
  ResourceMissingAtURI: { text: 'There is nothing at %1.', severity: 'Critical', resolution: 'Follow the links of the service.' },
  ResourceInUse: { text: 'The resource is in use.', severity: 'Warning', resolution: 'Try again when it is free.' },
  ResourceInStandby: { text: 'The resource is in standby.', severity: 'Critical', resolution: 'Power it on first.' },
  ResourceAlreadyExists: { text: 'A %1 with %2 %3 exists.', severity: 'Critical', resolution: 'Use that one.' },
  OperationNotAllowed: { text: 'This resource does not allow it.', severity: 'Critical', resolution: none },
  ActionNotSupported: { text: 'The action %1 is not supported here.', severity: 'Critical', resolution: none },
  InsufficientPrivilege: { text: 'The account may not do this.', severity: 'Critical', resolution: 'Use another account.' },
  NoValidSession: { text: 'There is no valid session.', severity: 'Critical', resolution: 'Log in.' },
  ResourceAtUriUnauthorized: { text: 'Access to %1 was refused.', severity: 'Critical', resolution: 'Check user name and password.' },
  SessionLimitExceeded: { text: 'There are as many sessions as there can be.', severity: 'Critical', resolution: 'End one.' },
  ServiceTemporarilyUnavailable: { text: 'The service is busy; try again in %1 seconds.', severity: 'Critical', resolution: 'Wait.' },
  PreconditionFailed: { text: 'The ETag does not fit.', severity: 'Critical', resolution: 'Read the resource again.' },
  PreconditionRequired: { text: 'The request needs an If-Match header.', severity: 'Critical', resolution: 'Send the ETag.' },
  QueryNotSupported: { text: 'Query parameters are not supported here.', severity: 'Warning', resolution: 'Leave them out.' },
  QueryParameterValueTypeError: { text: 'The query value %1 of %2 cannot be used.', severity: 'Warning', resolution: correct },
  ServiceInUnknownState: { text: 'The operation failed.', severity: 'Critical', resolution: 'Restart the service.' },
  UnableToModifyDuringSystemPOST: {
    text: 'This cannot be changed during POST.',
    severity: 'Warning',
    resolution: 'Wait for the end of POST.',
  },
  OperationTransitionedToJob: { text: 'The work goes on as %1.', severity: 'OK', resolution: none },
  AccessDenied: { text: 'The image %1 cannot be used.', severity: 'Critical', resolution: 'Check where it is and what it is.' },
} as const satisfies Readonly<Record<string, Message>>

export type MessageName = keyof typeof messages

export const baseVersion = '1.13'

/** One entry of `@Message.ExtendedInfo`. `id` replaces the registry's name where a vendor has its own. */
export function messageOf(name: MessageName, args: readonly string[], related: readonly string[] = [], id?: string): JsonObject {
  const { text, severity, resolution } = messages[name]
  return {
    '@odata.type': '#Message.v1_1_2.Message',
    MessageId: id ?? `Base.${baseVersion}.${name}`,
    Message: text.replace(/%(\d)/g, (_, n: string) => args[Number(n) - 1] ?? ''),
    MessageArgs: args,
    MessageSeverity: severity,
    Severity: severity,
    Resolution: resolution,
    ...(related.length > 0 ? { RelatedProperties: related } : {}),
  }
}

/** The base registry as a resource, so that clients can look the sentences up. */
export const baseRegistry: JsonObject = {
  '@odata.type': '#MessageRegistry.v1_5_0.MessageRegistry',
  Id: `Base.${baseVersion}.0`,
  Name: 'Base Message Registry',
  Language: 'en',
  RegistryPrefix: 'Base',
  RegistryVersion: `${baseVersion}.0`,
  OwningEntity: 'Rackwright',
  Messages: Object.fromEntries(
    Object.entries(messages).map(([name, { text, severity, resolution }]) => [
      name,
      {
        Description: text,
        Message: text,
        Severity: severity,
        MessageSeverity: severity,
        NumberOfArgs: (text.match(/%\d/g) ?? []).length,
        ...(text.includes('%1') ? { ParamTypes: (text.match(/%\d/g) ?? []).map(() => 'string') } : {}),
        Resolution: resolution,
      },
    ]),
  ),
}
