export const agentInstall = { group: 'agent-install.openshift.io', version: 'v1beta1', categories: ['metal'] } as const
