// Preloaded into every process that the launcher and the tools start: ends it when its parent is gone, even one killed outright.
if (process.channel) {
  process.once('disconnect', () => process.exit(1))
  process.channel.unref()
}
