const reboots = /^reboot\.metal3\.io(\/|$)/
const inspect = 'inspect.metal3.io'
const details = 'inspect.metal3.io/hardwaredetails'
const carried = 'baremetalhost.metal3.io/status'

/** What is wrong with a host's annotations, in words: one that cannot be read is not guessed at. */
export function annotationProblems(annotations: Readonly<Record<string, string>>, inspectionMode: string | undefined): readonly string[] {
  const isInspected = inspectionMode !== 'disabled' && annotations[inspect] !== 'disabled'
  return [
    ...Object.entries(annotations)
      .filter(([key]) => reboots.test(key))
      .flatMap(([key, value]) => rebootProblems(key, value)),
    ...(['', 'disabled', undefined].includes(annotations[inspect]) ? [] : [`annotation ${inspect} is neither empty nor disabled`]),
    ...(annotations[inspect] === 'disabled' && (inspectionMode === 'agent' || inspectionMode === 'fast')
      ? [`annotation ${inspect} says disabled, and inspectionMode says ${inspectionMode}`]
      : []),
    ...(annotations[details] === undefined
      ? []
      : [
          ...(isInspected ? [`annotation ${details} tells what an inspection would find, and the host is inspected: disable that`] : []),
          ...(objectIn(annotations[details]) ? [] : [`annotation ${details} is not a JSON object`]),
        ]),
    ...(annotations[carried] === undefined || objectIn(annotations[carried]) ? [] : [`annotation ${carried} is not a JSON object`]),
  ]
}

function rebootProblems(key: string, value: string): readonly string[] {
  if (value === '') return []
  const read = objectIn(value)
  if (!read) return [`annotation ${key} is neither empty nor a JSON object`]
  const { mode = '', force = false } = read
  return [
    ...(['', 'hard', 'soft'].includes(mode as string) ? [] : [`the mode in annotation ${key} is neither hard nor soft`]),
    ...(typeof force === 'boolean' ? [] : [`force in annotation ${key} is neither true nor false`]),
  ]
}

function objectIn(text: string | undefined): { readonly mode?: unknown; readonly force?: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text ?? '')
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}
