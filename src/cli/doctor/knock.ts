import { connect } from 'node:net'

const patience = 5_000

/** Whether somebody listens there, and from which of our addresses they were reached. Nothing is said. */
export function knock(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host, port }, () => done(socket.localAddress))
    const done = (from: string | undefined): void => {
      socket.destroy()
      resolve(from)
    }
    socket.setTimeout(patience, () => done(undefined))
    socket.once('error', () => done(undefined))
  })
}
