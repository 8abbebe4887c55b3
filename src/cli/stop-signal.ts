/** Resolves when somebody wants us gone: a signal, or the launcher that started us has ended. */
export function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    process.once('disconnect', () => resolve('its launcher is gone'))
  })
}
