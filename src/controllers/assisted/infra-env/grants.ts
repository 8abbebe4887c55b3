import { type Grant, granting, holding, keepingStatus, watching } from '../../../ports/index.ts'
import { secrets } from '../../metal3/resources.ts'
import { infraEnvs } from '../resources.ts'

export const infraEnvGrants: readonly Grant[] = [
  watching(infraEnvs),
  keepingStatus(infraEnvs),
  holding(infraEnvs),
  granting(secrets, ['get'], 'reads the pull secret of an InfraEnv by name, in its namespace'),
]
