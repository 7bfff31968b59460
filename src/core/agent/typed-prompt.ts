const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'
const enter = '\r'

/**
 * The keys that type `text` and Enter. A program that switched bracketed paste on gets it as one paste, without end
 * marks and control characters (tab and line feed stay), so that nothing in it acts as a key; another gets it as it is.
 */
export function typedPrompt(
  text: string,
  {bracketedPaste = false}: {bracketedPaste?: boolean} = {},
): Uint8Array {
  return Buffer.from((bracketedPaste ? pasteStart + harmless(text) + pasteEnd : text) + enter)
}

function harmless(text: string): string {
  return (
    text
      .replaceAll('\r\n', '\n')
      .replaceAll(pasteEnd, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for, C1 included (ESC [ as one character)
      .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
  )
}
