export interface SelectorToken {
  readonly is: 'word' | 'symbol' | 'end'
  readonly text: string
}

const symbols = '=!,()<>'

/** Splits the text of a label selector; whitespace only separates. `in` and `notin` are words here: a key may be called that. */
export function selectorTokens(text: string): readonly SelectorToken[] {
  const tokens: SelectorToken[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at]!
    if (char === ' ' || char === '\t' || char === '\r' || char === '\n') {
      at++
      continue
    }
    if (symbols.includes(char)) {
      const pair = (char === '=' || char === '!') && text[at + 1] === '=' ? `${char}=` : char
      tokens.push({ is: 'symbol', text: pair })
      at += pair.length
      continue
    }
    const from = at
    while (at < text.length && !symbols.includes(text[at]!) && !' \t\r\n'.includes(text[at]!)) at++
    tokens.push({ is: 'word', text: text.slice(from, at) })
  }
  return tokens
}
