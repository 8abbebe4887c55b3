/** A part of the terminal that is drawn again and again in the same place; lines said in between scroll away above it. */
export interface Screen {
  draw(text: string): void
  say(line: string): void
  /** Leaves what is drawn standing. */
  end(): void
}

interface Terminal {
  write(text: string): unknown
  readonly rows?: number
  readonly columns?: number
}

const hideCursor = '\u001B[?25l'
const showCursor = '\u001B[?25h'

/** For people: redraws in place. What does not fit the window is cut, as a line that wraps would break the drawing. */
export function openScreen(terminal: Terminal): Screen {
  let drawn = ''
  const height = (): number => (drawn === '' ? 0 : drawn.split('\n').length)
  const up = (): string => (height() === 0 ? '' : `\u001B[${height()}A\u001B[J`)
  const fitted = (text: string): string => {
    const { rows = 24, columns = 80 } = terminal
    return text
      .split('\n')
      .slice(0, Math.max(1, rows - 1))
      .map(line => cut(line, columns))
      .join('\n')
  }
  terminal.write(hideCursor)
  return {
    draw(text) {
      const next = fitted(text)
      if (next === drawn) return
      terminal.write(`${up()}${next}\n`)
      drawn = next
    },
    say(line) {
      terminal.write(`${up()}${line}\n${drawn === '' ? '' : `${drawn}\n`}`)
    },
    end: () => void terminal.write(showCursor),
  }
}

/** In a pipe: only lines, and nothing twice. */
export const plainLines = (terminal: Terminal): Screen => ({
  draw() {},
  say: line => void terminal.write(`${line}\n`),
  end() {},
})

const colour = new RegExp(`(${'\u001B'}\\[[\\d;]*m)`)

/** Cuts to so many characters that show; colours are kept and closed. */
export function cut(line: string, columns: number): string {
  let shown = 0
  let out = ''
  for (const part of line.split(colour)) {
    if (part.startsWith('\u001B')) {
      out += part
      continue
    }
    out += part.slice(0, Math.max(0, columns - shown))
    shown += part.length
  }
  return out
}
