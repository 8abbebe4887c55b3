/** The annotation by which people ask for something that is done once. */
export const operationAnnotation = 'metal.ironcore.dev/operation'
