import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rows } from './api/differences.ts'

it('docs/api-server.md lists exactly the differences from Kubernetes that the contract checks on both hosts', () => {
  const page = readFileSync(new URL('../../docs/api-server.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('## Where it differs from Kubernetes')).split('\n')
  const listed = table.filter(line => line.startsWith('| ')).filter(line => !line.startsWith('| Case'))
  expect(listed).toEqual(rows())
})
