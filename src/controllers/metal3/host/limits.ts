/** So often the same image is tried, custom deploys included; then it rests until something else is wanted. */
export const provisioningLimit = 5
