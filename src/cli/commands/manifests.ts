import { yamlText } from '../../api/page.ts'
import { Fault } from '../../core/fault.ts'
import type { Options } from '../catalogue/command.ts'
import { namespaceOf, pieces } from '../install/pieces.ts'
import { type Part, parts, usual, type Values } from '../install/values.ts'

/** Everything the chart installs, as YAML for `kubectl apply -f -`. */
export async function manifests(options: Options): Promise<number> {
  const values = valuesOf(options)
  const wanted = pieces.filter(({ part }) => part === undefined || isWanted(part, options))
  const objects = [namespaceOf(values), ...wanted.flatMap(piece => piece.objects(values))]
  console.log(objects.map(yamlText).join('---\n').trimEnd())
  return 0
}

function valuesOf(options: Options): Values {
  const text = (key: string, unless: string): string => (typeof options[key] === 'string' ? options[key] : unless)
  const url = text('bootUrl', usual.bootServer.url)
  if (!URL.canParse(url))
    throw new Fault('manifests/boot-url', 'Cannot say where machines boot: --boot-url is not an address', 'never', {
      hint: 'give --boot-url, such as http://boot.example.com:8080',
    })
  return {
    ...usual,
    namespace: text('namespace', usual.namespace),
    image: text('image', usual.image),
    controllers: text('controllers', usual.controllers),
    registries: text('registries', usual.registries),
    bootServer: { ...usual.bootServer, url },
  }
}

/** `--without crds.metal,alerts.enabled`, `--with serviceMonitor.enabled`. */
function isWanted(part: Part, options: Options): boolean {
  const named = (key: string): boolean => typeof options[key] === 'string' && options[key].split(',').includes(part)
  return named('with') || (parts[part].unless && !named('without'))
}
