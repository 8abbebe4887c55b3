// On the claim of a server: what its owner is asked, and what the owner answers.

export const neededLabel = 'metal.ironcore.dev/maintenance-needed'
export const approvedLabel = 'metal.ironcore.dev/maintenance-approved'
