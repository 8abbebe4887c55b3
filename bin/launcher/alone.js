import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive } from './parent.js'

const beatMs = 1_000
const silentMs = 10_000

/**
 * Runs `work` while no other process does under the same folder name. The holder renews the folder's time every second, so a lock is
 * stale when its process is gone from this host, or (another host or container) when nobody renewed it for ten seconds.
 */
export async function alone(folder, say, work) {
  const me = JSON.stringify({ host: hostname(), pid: process.pid })
  mkdirSync(dirname(folder), { recursive: true })
  let told = false
  while (!take(folder, me)) {
    if (sweepStale(folder)) continue
    if (!told) say('Another process is installing here; waiting for it')
    told = true
    await new Promise(again => setTimeout(again, 200))
  }
  const beat = setInterval(() => renew(folder), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    rmSync(folder, { recursive: true, force: true })
  }
}

function take(folder, me) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(folder, 'holder'), me)
  return true
}

function renew(folder) {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // Taken from us after a long standstill of this machine; npm's own checks have to do now.
  }
}

/** Removes a lock whose holder is gone; true when the way may be free now. */
function sweepStale(folder) {
  try {
    const holder = read(join(folder, 'holder'))
    if (!isStale(folder, holder)) return false
    const aside = `${folder}.stale-${process.pid}`
    renameSync(folder, aside)
    // Somebody else may have swept and taken it between our look and our rename: then it is theirs, and goes back.
    if (read(join(aside, 'holder')) !== holder) renameSync(aside, folder)
    else rmSync(aside, { recursive: true, force: true })
    return true
  } catch (error) {
    if (error.code === 'ENOENT') return true
    throw error
  }
}

function isStale(folder, holder) {
  const { host, pid } = holder ? JSON.parse(holder) : {}
  if (host === hostname() && !isAlive(pid)) return true
  return Date.now() - statSync(folder).mtimeMs > silentMs
}

/** The text of a file; empty where it is missing or being written. */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
