// Draws what a terminal shows at the end of a recording: `script -qec '<command>' out.raw; node tools/terminal-picture.ts out.raw > picture.svg`.
// Knows what our own programs send: colours, the cursor going up, and clearing below.
import { readFileSync } from 'node:fs'

interface Cell {
  readonly text: string
  readonly style: string
}

const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '35': '#d2a8ff',
  '36': '#79c0ff',
}
const [file = '', most = '60'] = process.argv.slice(2)
const screen: Cell[][] = [[]]
let row = 0
let style = { colour: '', bold: false, dim: false }

function put(text: string): void {
  const fill = style.colour === '' ? '' : `fill:${style.colour};`
  screen[row]!.push({ text, style: `${fill}${style.bold ? 'font-weight:bold;' : ''}${style.dim ? 'fill-opacity:.6;' : ''}` })
}

function select(codes: string): void {
  for (const code of codes.split(';')) {
    if (code === '0' || code === '') style = { colour: '', bold: false, dim: false }
    else if (code === '1') style.bold = true
    else if (code === '2') style.dim = true
    else if (code === '22') style = { ...style, bold: false, dim: false }
    else if (code === '39') style.colour = ''
    else style.colour = colours[code] ?? style.colour
  }
}

const leadIn = '\u001B'
const pieces = new RegExp(`${leadIn}\\[([?\\d;]*)([A-Za-z])|(\\n)|([^${leadIn}\\n\\r]+)|[\\s\\S]`, 'g')
for (const [, argument = '', verb, newline, text] of readFileSync(file, 'utf8').matchAll(pieces)) {
  if (text !== undefined) put(text)
  else if (newline !== undefined) {
    row++
    screen[row] ??= []
  } else if (verb === 'm') select(argument)
  else if (verb === 'A') row = Math.max(0, row - Number(argument || 1))
  else if (verb === 'J') {
    screen.length = row
    screen[row] = []
  }
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** The recorder's own words, and what follows the last picture, are no part of it. */
const isOurs = (cells: readonly Cell[]): boolean => !/^(Script (started|done)|Stopping )/.test(cells[0]?.text ?? '')
const shown = screen.filter(isOurs).slice(-Number(most))
const lines = shown.slice(0, shown.findLastIndex(cells => cells.length > 0) + 1)
const columns = Math.max(...lines.map(cells => cells.reduce((sum, { text }) => sum + text.length, 0)))
const [cell, height, margin] = [8.43, 19, 18]
const width = Math.ceil(columns * cell + 2 * margin)
const body = lines.map((cells, n) => {
  const spans = cells.map(({ text, style }) => `<tspan${style === '' ? '' : ` style="${style}"`}>${xml(text)}</tspan>`).join('')
  return `<text x="${margin}" y="${margin + 34 + n * height}">${spans}</text>`
})
const dots = ['#ff5f57', '#febc2e', '#28c840'].map((fill, n) => `<circle cx="${margin + 6 + n * 20}" cy="${margin}" r="6" fill="${fill}"/>`)
console.log(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${margin * 2 + 34 + lines.length * height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`,
    '<rect width="100%" height="100%" rx="10" fill="#0d1117"/>',
    ...dots,
    '<g fill="#c9d1d9" xml:space="preserve">',
    ...body,
    '</g>',
    '</svg>',
  ].join('\n'),
)
